// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What the picture shows around an extremum: histograms of gradients in 4×4 fields, and the signs of their spectrum.

#include "Features.hpp"
#include "Forms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cfeatures {
namespace {

typedef float Four __attribute__((vector_size(16)));

constexpr int fields = 4, directions = 8;
constexpr int lattice = 12;
/// The distance of the lattice's places, in standard deviations of the Gaussian.
constexpr float lattice_step = 1;

/// To which four fields a place of the lattice counts, and how much.
struct LatticePlace {
    float u, v;
    uint8_t field[4];
    float weight[4];
};

std::array<LatticePlace, lattice * lattice> make_lattice() {
    std::array<LatticePlace, lattice * lattice> places{};
    for (int row = 0; row < lattice; ++row) {
        for (int column = 0; column < lattice; ++column) {
            LatticePlace &place = places[size_t(row * lattice + column)];
            const float across = float(column) - 0.5f * (lattice - 1), down = float(row) - 0.5f * (lattice - 1);
            place.u = across * lattice_step;
            place.v = down * lattice_step;
            const float window = std::exp(-2 * (across * across + down * down) / float(lattice * lattice));
            const float per_field = float(lattice / fields);
            const float x = across / per_field + 0.5f * (fields - 1), y = down / per_field + 0.5f * (fields - 1);
            const int left = int(std::floor(x)), top = int(std::floor(y));
            for (int k = 0; k < 4; ++k) {
                const int fx = left + (k & 1), fy = top + (k >> 1);
                const float wx = 1 - std::abs(x - float(fx)), wy = 1 - std::abs(y - float(fy));
                const bool inside = fx >= 0 && fx < fields && fy >= 0 && fy < fields;
                place.field[k] = uint8_t(inside ? fy * fields + fx : 0);
                place.weight[k] = inside ? window * wx * wy : 0;
            }
        }
    }
    return places;
}

/// Bases of the spectrum: cosines over the fields, a Fourier series over the directions; both orthonormal.
struct Bases {
    float space[fields][fields];
    float angle[directions][directions];

    Bases() {
        for (int k = 0; k < fields; ++k) {
            for (int x = 0; x < fields; ++x) {
                space[k][x] = float(std::sqrt((k == 0 ? 1.0 : 2.0) / fields) * std::cos(M_PI * k * (x + 0.5) / fields));
            }
        }
        for (int k = 0; k < directions; ++k) {
            for (int b = 0; b < directions; ++b) {
                // 1, cos, sin, cos 2, sin 2, cos 3, sin 3, cos 4.
                const int wave = (k + 1) / 2;
                const double phase = 2 * M_PI * wave * b / directions;
                const double scale = std::sqrt((k == 0 || wave == 4 ? 1.0 : 2.0) / directions);
                angle[k][b] = float(scale * (k == 0 ? 1 : k % 2 == 1 ? std::cos(phase) : std::sin(phase)));
            }
        }
    }
};

/// The angle of a direction, within 1e-3.
float fast_angle(float y, float x) {
    const float ax = std::abs(x), ay = std::abs(y);
    const float ratio = std::min(ax, ay) / (std::max(ax, ay) + 1e-12f);
    const float square = ratio * ratio;
    float angle = ((-0.0464964749f * square + 0.15931422f) * square - 0.327622764f) * square * ratio + ratio;
    if (ay > ax) angle = float(M_PI_2) - angle;
    if (x < 0) angle = float(M_PI) - angle;
    return y < 0 ? -angle : angle;
}

struct Gradients {
    const Plane &plane;

    /// The gradient at the nearest pixel; zero where that is outside.
    bool at(float x, float y, float &gx, float &gy) const {
        const int column = int(x + 0.5f), row = int(y + 0.5f);
        if (column < 1 || row < 1 || column >= plane.width - 1 || row >= plane.height - 1) return false;
        const uint16_t *middle = plane.row(row) + column;
        gx = float(int(middle[1]) - int(middle[-1]));
        gy = float(int(middle[plane.width]) - int(middle[-plane.width]));
        return true;
    }
};

constexpr int direction_reach = 6;

/// A place whose light counts for the direction, in standard deviations of the Gaussian.
struct DirectionPlace {
    float u, v, weight;
};

std::vector<DirectionPlace> make_direction_places() {
    std::vector<DirectionPlace> places;
    for (int row = -direction_reach; row <= direction_reach; ++row) {
        for (int column = -direction_reach; column <= direction_reach; ++column) {
            const int square = row * row + column * column;
            if (square > direction_reach * direction_reach) continue;
            places.push_back(
                {0.75f * float(column), 0.75f * float(row), std::exp(-float(square) / (2 * 2.4f * 2.4f))});
        }
    }
    return places;
}

/// The directions in which the light around a place grows most, the strongest first.
int find_directions(const Gradients &gradients, float x, float y, float sigma, int limit, float *angles) {
    static const auto places = make_direction_places();
    constexpr int bins = 36;
    float histogram[bins] = {};
    for (const DirectionPlace &place : places) {
        float gx, gy;
        if (!gradients.at(x + place.u * sigma, y + place.v * sigma, gx, gy)) continue;
        const float weight = place.weight * std::sqrt(gx * gx + gy * gy);
        const float angle = fast_angle(gy, gx) * float(bins / (2 * M_PI)) + bins;
        const int bin = int(angle);
        const float part = angle - float(bin);
        histogram[bin % bins] += weight * (1 - part);
        histogram[(bin + 1) % bins] += weight * part;
    }
    for (int round = 0; round < 3; ++round) {
        float smooth[bins];
        for (int i = 0; i < bins; ++i) {
            smooth[i] =
                0.25f * (histogram[(i + bins - 1) % bins] + histogram[(i + 1) % bins]) + 0.5f * histogram[i];
        }
        std::memcpy(histogram, smooth, sizeof histogram);
    }
    const float highest = *std::max_element(histogram, histogram + bins);
    std::array<std::pair<float, float>, bins> peaks;
    int count = 0;
    for (int i = 0; i < bins; ++i) {
        const float before = histogram[(i + bins - 1) % bins], peak = histogram[i], behind = histogram[(i + 1) % bins];
        if (peak < 0.8f * highest || peak <= before || peak < behind) continue;
        const float curvature = before - 2 * peak + behind;
        const float offset = curvature < 0 ? 0.5f * (before - behind) / curvature : 0;
        peaks[size_t(count++)] = {-peak, (float(i) + offset) * float(2 * M_PI / bins)};
    }
    std::sort(peaks.begin(), peaks.begin() + count);
    count = std::min(count, limit);
    for (int i = 0; i < count; ++i) angles[i] = peaks[size_t(i)].second;
    return count;
}

/// Sums of gradients, as they lie in the feature's own axes: 16 fields of 8 directions.
void describe(const Gradients &gradients, float x, float y, float sigma, float angle, float *sums) {
    static const auto places = make_lattice();
    const float c = std::cos(angle), s = std::sin(angle);
    const float r = float(M_SQRT1_2);
    const Four first_x = {1, r, 0, -r}, first_y = {0, r, 1, r};
    Four totals[fields * fields][2] = {};
    for (const LatticePlace &place : places) {
        float gx, gy;
        const float u = place.u * sigma, v = place.v * sigma;
        if (!gradients.at(x + c * u - s * v, y + s * u + c * v, gx, gy)) continue;
        const float along = c * gx + s * gy, across = c * gy - s * gx;
        const float magnitude = std::sqrt(along * along + across * across);
        if (magnitude < 1) continue;
        // Strong edges count less than in proportion: their contrast is the ink's, not the drawing's.
        const float scale = 1 / std::sqrt(magnitude);
        const Four projected = (along * first_x + across * first_y) * scale;
        const Four least = Four{r, r, r, r} * (magnitude * scale);
        Four ahead = projected - least, back = -projected - least;
        ahead = ahead > 0 ? ahead : Four{};
        back = back > 0 ? back : Four{};
        for (int k = 0; k < 4; ++k) {
            totals[place.field[k]][0] += ahead * place.weight[k];
            totals[place.field[k]][1] += back * place.weight[k];
        }
    }
    std::memcpy(sums, totals, sizeof totals);
}

} // namespace

void find_forms(const float *sums, float *forms) {
    static const Bases bases;
    float squares = 0;
    for (int i = 0; i < fields * fields * directions; ++i) squares += sums[i] * sums[i];
    const float scale = 1000 / std::sqrt(squares + 1e-6f);
    float angular[fields][fields][directions];
    for (int f = 0; f < fields * fields; ++f) {
        for (int k = 0; k < directions; ++k) {
            float sum = 0;
            for (int b = 0; b < directions; ++b) sum += bases.angle[k][b] * sums[f * directions + b];
            angular[f / fields][f % fields][k] = sum * scale;
        }
    }
    float rows[fields][fields][directions];
    for (int y = 0; y < fields; ++y) {
        for (int u = 0; u < fields; ++u) {
            for (int k = 0; k < directions; ++k) {
                float sum = 0;
                for (int x = 0; x < fields; ++x) sum += bases.space[u][x] * angular[y][x][k];
                rows[y][u][k] = sum;
            }
        }
    }
    for (int v = 0; v < fields; ++v) {
        for (int u = 0; u < fields; ++u) {
            for (int k = 0; k < directions; ++k) {
                float sum = 0;
                for (int y = 0; y < fields; ++y) sum += bases.space[v][y] * rows[y][u][k];
                forms[(v * fields + u) * directions + k] = sum;
            }
        }
    }
}

} // namespace cfeatures

using namespace cfeatures;

CFeaturesStatus cfeatures_find(
    CFeaturesScaleSpace *space, float least_strength, int32_t direction_limit, CFeature *features, int32_t capacity,
    int32_t *count) {
    if (!space || !count || capacity < 0 || (capacity > 0 && !features) || direction_limit < 1 || direction_limit > 4 ||
        !(least_strength > 0))
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        find_extrema(*space, least_strength);
        keep_strongest(*space, size_t(capacity));
        *count = 0;
        for (const Extremum &extremum : space->extrema) {
            const int nearest = std::clamp(int(std::lround(extremum.fine_scale)), 0, scale_count - 1);
            const Gradients gradients{space->planes[size_t(extremum.octave)][size_t(nearest)]};
            const float sigma = first_sigma * std::exp2(extremum.fine_scale / searched_scale_count);
            const float size = space->pixel_size(extremum.octave);
            // Halving before the first octave moves the pixels' centres; thinning out does not.
            const float first_size = float(1 << space->halvings);
            float angles[4];
            const int angle_count =
                find_directions(gradients, extremum.x, extremum.y, sigma, direction_limit, angles);
            for (int i = 0; i < angle_count && *count < capacity; ++i) {
                CFeature &feature = features[(*count)++];
                feature.x_px = extremum.x * size + 0.5f * (first_size - 1);
                feature.y_px = extremum.y * size + 0.5f * (first_size - 1);
                feature.scale_px = sigma * size;
                feature.angle_rad = angles[i];
                feature.strength = extremum.strength;
                float sums[fields * fields * directions], forms[fields * fields * directions];
                describe(gradients, extremum.x, extremum.y, sigma, angles[i], sums);
                find_forms(sums, forms);
                feature.signature[0] = feature.signature[1] = 0;
                for (int bit = 0; bit < CFEATURES_SIGNATURE_BITS; ++bit) {
                    const Form &form = form_order[bit];
                    const float value = forms[form.index] - form.mean;
                    if (value > 0) feature.signature[bit / 64] |= uint64_t(1) << (bit % 64);
                    if (bit < CFEATURES_KEY_BITS) feature.key_forms[bit] = int16_t(value);
                }
            }
        }
        return CFEATURES_OK;
    });
}
