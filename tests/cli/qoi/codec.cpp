// A codec of the Quite OK Image format (qoiformat.org, version 1.0): from text to QOI, or back if
// the input begins with "qoif". The text is a plain PPM (P3), or a PAM whose pixels are in decimal,
// in the order alpha, red, green, blue.
#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

struct Pixel {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Pixel&) const = default;
    int slot() const { return (r * 3 + g * 5 + b * 7 + a * 11) % 64; }
};

struct Image {
    std::uint32_t width = 0, height = 0;
    int channels = 3;
    std::vector<Pixel> pixels;
};

constexpr std::uint8_t INDEX = 0x00, DIFF = 0x40, LUMA = 0x80, RUN = 0xc0, RGB = 0xfe, RGBA = 0xff;

Image read_text(std::istream& in) {
    Image image;
    std::string word;
    in >> word;
    if (word == "P3") {
        in >> image.width >> image.height >> word;
    } else {
        while (in >> word && word != "ENDHDR") {
            if (word == "WIDTH") in >> image.width;
            if (word == "HEIGHT") in >> image.height;
            if (word == "DEPTH") in >> image.channels;
        }
    }
    image.pixels.resize(std::size_t{image.width} * image.height);
    for (Pixel& pixel : image.pixels) {
        int r, g, b, a = 255;
        if (image.channels == 4) in >> a;
        in >> r >> g >> b;
        pixel = {std::uint8_t(r), std::uint8_t(g), std::uint8_t(b), std::uint8_t(a)};
    }
    return image;
}

void write_text(const Image& image, std::ostream& out) {
    if (image.channels == 3) {
        out << "P3\n" << image.width << ' ' << image.height << "\n255\n";
    } else {
        out << "P7\nWIDTH " << image.width << "\nHEIGHT " << image.height
            << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    }
    char text[32];
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const Pixel& p = image.pixels[i];
        if (image.channels == 4) std::snprintf(text, sizeof text, "%3d ", p.a), out << text;
        std::snprintf(text, sizeof text, "%3d %3d %3d \t", p.r, p.g, p.b);
        out << text;
        if ((i + 1) % image.width == 0) out << '\n';
    }
}

std::string encode(const Image& image) {
    std::string out = "qoif";
    auto put = [&out](int byte) { out.push_back(static_cast<char>(byte)); };
    for (std::uint32_t size : {image.width, image.height})
        for (int shift = 24; shift >= 0; shift -= 8) put(size >> shift & 0xff);
    put(image.channels);
    put(0);
    std::array<Pixel, 64> seen{};
    seen.fill({0, 0, 0, 0});
    Pixel last;
    int run = 0;
    auto end_run = [&] {
        if (run > 0) put(RUN | (run - 1));
        run = 0;
    };
    for (const Pixel& pixel : image.pixels) {
        if (pixel == last) {
            if (++run == 62) end_run();
            continue;
        }
        end_run();
        const auto r = std::int8_t(pixel.r - last.r), g = std::int8_t(pixel.g - last.g),
                   b = std::int8_t(pixel.b - last.b);
        const auto rg = std::int8_t(r - g), bg = std::int8_t(b - g);
        auto within = [](int value, int least, int most) { return least <= value && value <= most; };
        if (seen[pixel.slot()] == pixel) {
            put(INDEX | pixel.slot());
        } else if (pixel.a != last.a) {
            for (int byte : {int(RGBA), int(pixel.r), int(pixel.g), int(pixel.b), int(pixel.a)})
                put(byte);
        } else if (within(r, -2, 1) && within(g, -2, 1) && within(b, -2, 1)) {
            put(DIFF | (r + 2) << 4 | (g + 2) << 2 | (b + 2));
        } else if (within(g, -32, 31) && within(rg, -8, 7) && within(bg, -8, 7)) {
            put(LUMA | (g + 32));
            put((rg + 8) << 4 | (bg + 8));
        } else {
            for (int byte : {int(RGB), int(pixel.r), int(pixel.g), int(pixel.b)}) put(byte);
        }
        seen[pixel.slot()] = last = pixel;
    }
    end_run();
    return out + std::string("\0\0\0\0\0\0\0\1", 8);
}

Image decode(const std::string& in) {
    std::size_t at = 4;
    auto next = [&] { return static_cast<std::uint8_t>(in.at(at++)); };
    Image image;
    for (std::uint32_t* size : {&image.width, &image.height})
        for (int i = 0; i < 4; ++i) *size = *size << 8 | next();
    image.channels = next();
    next();
    std::array<Pixel, 64> seen{};
    seen.fill({0, 0, 0, 0});
    Pixel p;
    const std::size_t count = std::size_t{image.width} * image.height;
    while (image.pixels.size() < count) {
        const std::uint8_t byte = next();
        int run = 1;
        if (byte == RGB || byte == RGBA) {
            p.r = next(), p.g = next(), p.b = next();
            if (byte == RGBA) p.a = next();
        } else if ((byte & 0xc0) == INDEX) {
            p = seen[byte];
        } else if ((byte & 0xc0) == DIFF) {
            p.r += (byte >> 4 & 3) - 2, p.g += (byte >> 2 & 3) - 2, p.b += (byte & 3) - 2;
        } else if ((byte & 0xc0) == LUMA) {
            const int g = (byte & 0x3f) - 32, more = next();
            p.r += g - 8 + (more >> 4), p.g += g, p.b += g - 8 + (more & 0xf);
        } else {
            run = (byte & 0x3f) + 1;
        }
        seen[p.slot()] = p;
        image.pixels.insert(image.pixels.end(), run, p);
    }
    return image;
}

int main() {
    const std::string in{std::istreambuf_iterator<char>(std::cin), {}};
    if (in.starts_with("qoif")) {
        write_text(decode(in), std::cout);
    } else {
        std::istringstream text(in);
        std::cout << encode(read_text(text));
    }
}
