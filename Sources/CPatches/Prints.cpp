// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Cutout.hpp"

#include <array>
#include <vector>

namespace cpatches {
namespace {

/// The homography's eight, and how far what is bright seems to have spread.
constexpr int unknowns = 9;
using Homography = cv::Matx33d;
using Matrix = cv::Matx<double, unknowns, unknowns>;
using Unknowns = cv::Vec<double, unknowns>;

/// Parts are windows of so many places along a side, next to each other.
constexpr int part_side = 8;

bool image(const Homography &h, double x, double y, double &u, double &v) {
    const double w = h(2, 0) * x + h(2, 1) * y + h(2, 2);
    if (!(w > 1e-9)) return false;
    u = (h(0, 0) * x + h(0, 1) * y + h(0, 2)) / w;
    v = (h(1, 0) * x + h(1, 1) * y + h(1, 2)) / w;
    return true;
}

/// The print's corners in the picture; false where one has no image, or the print is seen from behind.
bool corners_of(const Homography &pixel_from_print, std::array<cv::Point2d, 4> &corners) {
    constexpr double xs[4] = {0, 1, 1, 0}, ys[4] = {0, 0, 1, 1};
    for (int i = 0; i < 4; ++i) {
        if (!image(pixel_from_print, xs[i], ys[i], corners[i].x, corners[i].y)) return false;
        if (!(std::abs(corners[i].x) < 1e5 && std::abs(corners[i].y) < 1e5)) return false;
    }
    for (int i = 0; i < 4; ++i) {
        if ((corners[(i + 1) % 4] - corners[i]).cross(corners[(i + 2) % 4] - corners[(i + 1) % 4]) <= 0) return false;
    }
    return true;
}

double area_of(const std::array<cv::Point2d, 4> &corners) {
    return 0.5 * std::abs((corners[2] - corners[0]).cross(corners[3] - corners[1]));
}

/// A window of the print.
struct Part {
    /// The places, in the raster.
    int left, top;
    float mean, deviation;
    /// What a step of the unknowns, the gain and the offset put aside, changes: Σ JᵀJ.
    Matrix normal;
    /// The same for a shift alone.
    float xx, xy, yy;
    bool is_inside;
    float correlation, square, shift;
};

/// Calls a function with each of a part's places in a raster so wide.
template <typename Body> void for_places(const Part &part, int width, const Body &body) {
    for (int row = part.top; row < part.top + part_side; ++row) {
        for (int column = part.left; column < part.left + part_side; ++column) body(row * width + column);
    }
}

/// The print at some size, made ready for alignment.
class Raster {
  public:
    int width, height;
    std::vector<float> light;
    std::vector<Part> parts;

    Raster(const CPatchesPrint &print, int longer_side) {
        const double scale = static_cast<double>(longer_side) / std::max(print.width, print.height);
        width = std::max(part_side + 2, static_cast<int>(std::lround(print.width * scale)));
        height = std::max(part_side + 2, static_cast<int>(std::lround(print.height * scale)));
        half = 0.5 * std::max(width, height);
        const cv::Mat whole(print.height, print.width, CV_8U, const_cast<uint8_t *>(print.pixels));
        cv::Mat resized, smooth;
        cv::resize(whole, resized, cv::Size(width, height), 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        resized.convertTo(smooth, CV_32F);
        // As much as the picture's own pixels and their interpolation smooth.
        cv::GaussianBlur(smooth, smooth, cv::Size(3, 3), 0.5, 0.5, cv::BORDER_REPLICATE);
        light.assign(smooth.begin<float>(), smooth.end<float>());
        slopes.resize(light.size());
        jacobians.resize(light.size());
        for (int y = 1; y + 1 < height; ++y) {
            for (int x = 1; x + 1 < width; ++x) differentiate(x, y);
        }
        make_parts();
    }

    /// From the raster's places, counted in halves of its longer side from its middle, to the print.
    Homography print_from_unit() const {
        return {half / width, 0, 0.5, 0, half / height, 0.5, 0, 0, 1};
    }
    double unit_x(double column) const { return (column + 0.5 - 0.5 * width) / half; }
    double unit_y(double row) const { return (row + 0.5 - 0.5 * height) / half; }

    const std::array<float, unknowns> &jacobian(int place) const { return jacobians[place]; }
    cv::Vec2f slope(int place) const { return slopes[place]; }

  private:
    double half;
    std::vector<cv::Vec2f> slopes;
    std::vector<std::array<float, unknowns>> jacobians;

    void differentiate(int column, int row) {
        const int place = row * width + column;
        const float gx = 0.5F * (light[place + 1] - light[place - 1]);
        const float gy = 0.5F * (light[place + width] - light[place - width]);
        const float x = static_cast<float>(unit_x(column)), y = static_cast<float>(unit_y(row));
        const float fx = gx * static_cast<float>(half), fy = gy * static_cast<float>(half);
        const float along = -(fx * x + fy * y);
        slopes[place] = {gx, gy};
        // Where light saturates, or is not proportional to what was printed, all that is bright grows by about as much.
        const float spread = std::hypot(gx, gy);
        jacobians[place] = {fx * x, fx * y, fx, fy * x, fy * y, fy, along * x, along * y, spread};
    }

    void make_parts() {
        float highest = 0;
        for (int top = 1; top + part_side < height; top += part_side) {
            for (int left = 1; left + part_side < width; left += part_side) {
                parts.push_back(part_at(left, top));
                highest = std::max(highest, parts.back().deviation);
            }
        }
        const float least = std::max(3.0F, 0.15F * highest);
        parts.erase(
            std::remove_if(parts.begin(), parts.end(), [=](const Part &part) { return part.deviation < least; }),
            parts.end());
        for (Part &part : parts) prepare(part);
    }

    Part part_at(int left, int top) const {
        Part part = {};
        part.left = left;
        part.top = top;
        float sum = 0, square = 0;
        for_places(part, width, [&](int place) {
            sum += light[place];
            square += light[place] * light[place];
        });
        constexpr float count = part_side * part_side;
        part.mean = sum / count;
        part.deviation = std::sqrt(std::max(square / count - part.mean * part.mean, 0.0F));
        return part;
    }

    /// Puts aside of each derivative what a gain or an offset could explain (Baker and Matthews's projected-out light).
    void prepare(Part &part) {
        constexpr float count = part_side * part_side;
        std::array<float, unknowns> sums = {}, products = {};
        for_places(part, width, [&](int place) {
            const float contrast = (light[place] - part.mean) / part.deviation;
            for (int i = 0; i < unknowns; ++i) {
                sums[i] += jacobians[place][i] / count;
                products[i] += jacobians[place][i] * contrast / count;
            }
        });
        for_places(part, width, [&](int place) {
            const float contrast = (light[place] - part.mean) / part.deviation;
            std::array<float, unknowns> &jacobian = jacobians[place];
            for (int i = 0; i < unknowns; ++i) jacobian[i] -= sums[i] + products[i] * contrast;
            for (int i = 0; i < unknowns; ++i) {
                for (int j = 0; j <= i; ++j) part.normal(i, j) += jacobian[i] * jacobian[j];
            }
            const cv::Vec2f slope = slopes[place];
            part.xx += slope[0] * slope[0];
            part.xy += slope[0] * slope[1];
            part.yy += slope[1] * slope[1];
        });
        for (int i = 0; i < unknowns; ++i) {
            for (int j = 0; j < i; ++j) part.normal(j, i) = part.normal(i, j);
        }
    }
};

/// Which unknowns a step may change.
enum class Freedom { shift, affine, projective };

bool is_free(int unknown, Freedom freedom) {
    switch (freedom) {
    case Freedom::shift: return unknown == 2 || unknown == 5;
    case Freedom::affine: return unknown < 6 || unknown == 8;
    case Freedom::projective: return true;
    }
    return false;
}

/// Moves a raster over a picture until it fits.
class Alignment {
  public:
    Alignment(const CPatchesPicture &picture, const Raster &raster, const Homography &pixel_from_print, float sign)
        : picture(picture), raster(raster), pixel_from_unit(pixel_from_print * raster.print_from_unit()), sign(sign),
          frame(frame_of(pixel_from_print)), cutout(picture, frame, reach, true), seen(raster.light.size()) {}

    /// Improves some of the unknowns until steps are shorter than so many places; false where the fit runs away.
    bool run(Freedom freedom, int iterations, double tolerance) {
        for (int iteration = 0; iteration < iterations; ++iteration) {
            Unknowns step;
            if (!look() || !solve(freedom, step)) return false;
            const double length = move(step);
            if (!(length < 0.5)) return false;
            if (length * raster.width < tolerance) break;
        }
        return look();
    }

    Homography pixel_from_print() const { return pixel_from_unit * raster.print_from_unit().inv(); }

    /// What the parts say of the place where the raster lies now.
    CPatchesPrintFit judge(double slack) {
        CPatchesPrintFit fit = {};
        int inside = 0, agreeing = 0;
        double correlations = 0, squares = 0;
        for (Part &part : parts) {
            if (!part.is_inside) continue;
            ++inside;
            if (!(part.correlation > 0.7F) || part.shift > slack) continue;
            ++agreeing;
            correlations += part.correlation;
            squares += part.shift * part.shift;
        }
        fit.structured = inside > 0 ? static_cast<float>(agreeing) / inside : 0;
        fit.visible = parts.empty() ? 0 : static_cast<float>(inside) / parts.size();
        fit.part_count = agreeing;
        fit.correlation = agreeing > 0 ? static_cast<float>(correlations / agreeing) : 0;
        fit.deviation_px = agreeing > 0 ? static_cast<float>(std::sqrt(squares / agreeing) * step_px) : 0;
        return fit;
    }

  private:
    const CPatchesPicture &picture;
    const Raster &raster;
    Homography pixel_from_unit;
    const float sign;
    double reach = 0, step_px = 1;
    const CPatchesFrame frame;
    const Cutout cutout;
    std::vector<float> seen;
    std::vector<Part> parts = raster.parts;

    CPatchesFrame frame_of(const Homography &pixel_from_print) {
        std::array<cv::Point2d, 4> corners;
        corners_of(pixel_from_print, corners);
        const cv::Point2d middle = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
        step_px = std::sqrt(area_of(corners) / (raster.width * raster.height));
        double farthest = 0;
        for (const cv::Point2d &corner : corners) farthest = std::max(farthest, cv::norm(corner - middle));
        const double step = std::clamp(step_px, 0.05, 200.0);
        reach = 1.3 * farthest / step + 8;
        return {middle.x, middle.y, step, 0};
    }

    /// Reads the picture where the raster lies, and compares part by part.
    bool look() {
        const Homography &h = pixel_from_unit;
        const double step = raster.unit_x(1) - raster.unit_x(0);
        const double right = picture.width - 1, bottom = picture.height - 1;
        for (Part &part : parts) {
            part.is_inside = true;
            for (int row = part.top; row < part.top + part_side; ++row) {
                const double u = raster.unit_x(part.left), v = raster.unit_y(row);
                double x = h(0, 0) * u + h(0, 1) * v + h(0, 2);
                double y = h(1, 0) * u + h(1, 1) * v + h(1, 2);
                double w = h(2, 0) * u + h(2, 1) * v + h(2, 2);
                float *light = &seen[row * raster.width + part.left];
                for (int column = 0; column < part_side; ++column) {
                    if (!(w > 1e-9)) return false;
                    const double inverse = 1 / w, pixel_x = x * inverse, pixel_y = y * inverse;
                    part.is_inside =
                        part.is_inside && pixel_x >= 0 && pixel_y >= 0 && pixel_x <= right && pixel_y <= bottom;
                    cutout.read<1>(pixel_x, pixel_y, light++);
                    x += h(0, 0) * step;
                    y += h(1, 0) * step;
                    w += h(2, 0) * step;
                }
            }
            if (part.is_inside) compare(part);
        }
        return true;
    }

    /// How alike a part is; what is seen becomes what the light differs by, under the gain and offset that suit best.
    void compare(Part &part) {
        constexpr float count = part_side * part_side;
        float sum = 0, square = 0, product = 0;
        for_places(part, raster.width, [&](int place) {
            sum += seen[place];
            square += seen[place] * seen[place];
            product += seen[place] * (raster.light[place] - part.mean);
        });
        const float mean = sum / count;
        const float deviation = std::sqrt(std::max(square / count - mean * mean, 0.0F));
        part.correlation = sign * product / (count * std::max(deviation, 1.0F) * part.deviation);
        const float gain = sign * part.deviation / std::max(deviation, 1.0F);
        float x = 0, y = 0;
        part.square = 0;
        for_places(part, raster.width, [&](int place) {
            const float difference = gain * (seen[place] - mean) - (raster.light[place] - part.mean);
            seen[place] = difference;
            part.square += difference * difference / count;
            x += raster.slope(place)[0] * difference;
            y += raster.slope(place)[1] * difference;
        });
        const float damping = 0.1F * (part.xx + part.yy) + 1;
        const float xx = part.xx + damping, yy = part.yy + damping, determinant = xx * yy - part.xy * part.xy;
        part.shift = std::hypot(yy * x - part.xy * y, xx * y - part.xy * x) / determinant;
    }

    bool solve(Freedom freedom, Unknowns &step) const {
        Matrix matrix = Matrix::zeros();
        Unknowns right;
        for (const Part &part : parts) {
            if (!part.is_inside || !(part.correlation > 0.1F)) continue;
            // Geman and McClure's weight: hidden and glaring parts differ by more than the light's noise.
            const double ratio = part.square / (0.15 * part.deviation * part.deviation + 16);
            const double weight = part.correlation / ((1 + ratio) * (1 + ratio));
            std::array<float, unknowns> sums = {};
            for_places(part, raster.width, [&](int place) {
                const std::array<float, unknowns> &jacobian = raster.jacobian(place);
                for (int i = 0; i < unknowns; ++i) sums[i] += jacobian[i] * seen[place];
            });
            for (int i = 0; i < unknowns; ++i) right(i) += weight * sums[i];
            matrix += weight * part.normal;
        }
        const double hold = 1e-5 * cv::trace(matrix) / unknowns + 1e-9;
        for (int i = 0; i < unknowns; ++i) {
            matrix(i, i) += hold;
            if (is_free(i, freedom)) continue;
            for (int j = 0; j < unknowns; ++j) matrix(i, j) = matrix(j, i) = 0;
            matrix(i, i) = 1;
            right(i) = 0;
        }
        bool is_solved = false;
        const Matrix inverse = matrix.inv(cv::DECOMP_CHOLESKY, &is_solved);
        step = inverse * right;
        return is_solved;
    }

    /// Composes with the inverse of the step; answers how far the farthest corner moves, in units.
    double move(const Unknowns &step) {
        const Homography change(
            1 + step(0), step(1), step(2), step(3), 1 + step(4), step(5), step(6), step(7), 1);
        double farthest = 0;
        for (const double x : {-1.0, 1.0}) {
            for (const double y : {-1.0, 1.0}) {
                double u, v;
                if (!image(change, x, y, u, v)) return INFINITY;
                farthest = std::max(farthest, std::hypot(u - x, v - y));
            }
        }
        pixel_from_unit = pixel_from_unit * change.inv();
        if (!(std::abs(pixel_from_unit(2, 2)) > 1e-12)) return INFINITY;
        pixel_from_unit = pixel_from_unit * (1 / pixel_from_unit(2, 2));
        return farthest;
    }
};

/// From few places and a shift to about as many places as the picture shows, and a homography.
CPatchesPrintFit align(
    const CPatchesPicture &picture, const CPatchesPrint &print, const Homography &start, float sign, bool from_far) {
    constexpr int coarse_side = 18, middle_side = 34, fine_side = 50;
    Homography found = start;
    CPatchesPrintFit fit = {};
    std::copy_n(start.val, 9, fit.pixel_from_print);
    std::array<cv::Point2d, 4> corners;
    if (!corners_of(found, corners)) return fit;
    const double first_area = area_of(corners);
    if (from_far) {
        const Raster raster(print, coarse_side);
        Alignment alignment(picture, raster, found, sign);
        // What fails here may be found with more places.
        if (alignment.run(Freedom::shift, 8, 0.2) && alignment.run(Freedom::affine, 8, 0.2)
            && corners_of(alignment.pixel_from_print(), corners)) {
            found = alignment.pixel_from_print();
        }
    }
    const Raster middle(print, middle_side);
    Alignment rough(picture, middle, found, sign);
    const int rounds = from_far ? 10 : 4;
    if (!rough.run(Freedom::affine, rounds, 0.2) || !rough.run(Freedom::projective, rounds, 0.2)) return fit;
    found = rough.pixel_from_print();
    if (!corners_of(found, corners)) return fit;
    const double aspect = static_cast<double>(print.width) / print.height;
    const double side = std::sqrt(area_of(corners) * std::max(aspect, 1 / aspect));
    const Raster many(print, std::clamp(static_cast<int>(side), middle_side, fine_side));
    Alignment fine(picture, many, found, sign);
    if (!fine.run(Freedom::projective, 8, 0.03) || !corners_of(fine.pixel_from_print(), corners)) return fit;
    // From one picture to the next a print neither doubles nor halves.
    const double growth = area_of(corners) / first_area;
    if (!(growth > 0.4 && growth < 2.5)) return fit;
    fit = fine.judge(1.5);
    std::copy_n(fine.pixel_from_print().val, 9, fit.pixel_from_print);
    return fit;
}

} // namespace
} // namespace cpatches

CPatchesStatus cpatches_align_print(
    const CPatchesPicture *picture, const CPatchesPrint *print, int32_t is_inverse, CPatchesPrintFit *fit) {
    using namespace cpatches;
    if (!is_valid(picture) || print == nullptr || print->pixels == nullptr || print->width < 16 || print->height < 16
        || fit == nullptr || !cv::checkRange(cv::Mat(3, 3, CV_64F, fit->pixel_from_print))) {
        return CPATCHES_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const Homography start(fit->pixel_from_print);
        // Most prints have moved little; what is not found from there is looked for with fewer places first.
        CPatchesPrintFit best = align(*picture, *print, start, is_inverse != 0 ? -1 : 1, false);
        if (best.structured < 0.8F) {
            const CPatchesPrintFit other = align(*picture, *print, start, is_inverse != 0 ? -1 : 1, true);
            if (other.structured > best.structured) best = other;
        }
        *fit = best;
    });
}
