import java.util.Scanner;

public class Main {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        System.out.println(input.nextLong() + input.nextLong());
    }
}
