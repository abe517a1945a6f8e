"""Code review: rules that a machine checks, criteria that a model rates."""
