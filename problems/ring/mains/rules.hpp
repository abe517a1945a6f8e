// Included right behind ring.hpp: the container is the submission's own work.
#if defined(_GLIBCXX_DEQUE) || defined(_GLIBCXX_LIST) || defined(_GLIBCXX_QUEUE)
#error "ring.hpp must not include <deque>, <list> or <queue>"
#endif
