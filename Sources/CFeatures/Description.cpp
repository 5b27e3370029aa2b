// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What the picture shows around an extremum: histograms of gradients in 4×4 fields, and the signs of their spectrum.

#include "Extrema.hpp"
#include "Forms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cfeatures {
namespace {

typedef float Eight __attribute__((vector_size(32)));

constexpr int fields = 4, directions = 8;
constexpr int lattice = 12, lattice_size = lattice * lattice;

/// Where a feature lies in a plane, and how its axes are turned; one step is the Gaussian's standard deviation.
struct Frame {
    float x, y, cosine, sine;
};

/// Places around a feature in its own axes, and how much each counts.
template <int count> struct Places {
    float u[count], v[count], weight[count];
};

/// The fields to which a column or row of the lattice counts, and how much: known to the compiler, so that a row's sums stay in
/// registers.
struct FieldShares {
    int first[lattice] = {};
    float weights[lattice][2] = {};

    constexpr FieldShares() {
        constexpr float middle = 0.5f * (lattice - 1), per_field = float(lattice / fields);
        for (int i = 0; i < lattice; ++i) {
            const float place = (float(i) - middle) / per_field + 0.5f * (fields - 1);
            const int left = int(place + 1) - 1;
            first[i] = left;
            for (int k = 0; k < 2; ++k) {
                const float distance = place - float(left + k);
                const bool is_inside = left + k >= 0 && left + k < fields;
                weights[i][k] = is_inside ? 1 - (distance < 0 ? -distance : distance) : 0;
            }
        }
    }
};

constexpr FieldShares field_shares;

struct Lattice : Places<lattice_size> {
    Lattice() {
        constexpr float middle = 0.5f * (lattice - 1);
        for (int i = 0; i < lattice_size; ++i) {
            u[i] = float(i % lattice) - middle;
            v[i] = float(i / lattice) - middle;
            weight[i] = std::exp(-2 * (u[i] * u[i] + v[i] * v[i]) / float(lattice_size));
        }
    }
};

/// Bases of the spectrum: cosines over the fields, a Fourier series over the directions; both orthonormal.
struct Bases {
    float space[fields][fields];
    /// By the direction, then the wave.
    float angle[directions][directions];

    Bases() {
        for (int k = 0; k < fields; ++k) {
            for (int x = 0; x < fields; ++x) {
                space[k][x] = float(std::sqrt((k == 0 ? 1.0 : 2.0) / fields) * std::cos(M_PI * k * (x + 0.5) / fields));
            }
        }
        for (int b = 0; b < directions; ++b) {
            for (int k = 0; k < directions; ++k) {
                // 1, cos, sin, cos 2, sin 2, cos 3, sin 3, cos 4.
                const int wave = (k + 1) / 2;
                const double phase = 2 * M_PI * wave * b / directions;
                const double scale = std::sqrt((k == 0 || wave == 4 ? 1.0 : 2.0) / directions);
                angle[b][k] = float(scale * (k == 0 ? 1 : k % 2 == 1 ? std::cos(phase) : std::sin(phase)));
            }
        }
    }
};

/// 1 / √x within 1e-5, for x > 0: the same on any machine, and for many at once.
[[gnu::always_inline]] inline float inverse_root(float x) {
    const float half = 0.5f * x;
    float y = __builtin_bit_cast(float, 0x5f375a86u - (__builtin_bit_cast(uint32_t, x) >> 1));
    y *= 1.5f - half * y * y;
    return y * (1.5f - half * y * y);
}

/// The angle of a direction, within 1e-3.
[[gnu::always_inline]] inline float fast_angle(float y, float x) {
    const float ax = std::abs(x), ay = std::abs(y);
    const float ratio = std::min(ax, ay) / (std::max(ax, ay) + 1e-12f);
    const float square = ratio * ratio;
    float angle = ((-0.0464964749f * square + 0.15931422f) * square - 0.327622764f) * square * ratio + ratio;
    angle = ay > ax ? float(M_PI_2) - angle : angle;
    angle = x < 0 ? float(M_PI) - angle : angle;
    return y < 0 ? -angle : angle;
}

/// Gradients at the pixels nearest to the places; zero where those are outside.
template <int count>
[[gnu::always_inline]] inline void find_gradients(
    const Plane &plane, const Places<count> &places, const Frame &frame, float *gx, float *gy) {
    const int last_column = plane.width - 2, last_row = plane.height - 2, stride = plane.stride;
    int offsets[count];
    float inside[count];
    for (int i = 0; i < count; ++i) {
        const int column = int(frame.x + frame.cosine * places.u[i] - frame.sine * places.v[i] + 0.5f);
        const int row = int(frame.y + frame.sine * places.u[i] + frame.cosine * places.v[i] + 0.5f);
        const int near_column = std::min(std::max(column, 1), last_column), near_row = std::min(std::max(row, 1), last_row);
        offsets[i] = near_row * stride + near_column;
        inside[i] = ((near_column == column) & (near_row == row)) ? 1.0f : 0.0f;
    }
    const uint16_t *light = plane.row(0);
    int across[count], down[count];
    for (int i = 0; i < count; ++i) {
        const uint16_t *middle = light + offsets[i];
        across[i] = int(middle[1]) - int(middle[-1]);
        down[i] = int(middle[stride]) - int(middle[-stride]);
    }
    for (int i = 0; i < count; ++i) {
        gx[i] = float(across[i]) * inside[i];
        gy[i] = float(down[i]) * inside[i];
    }
}

constexpr int direction_reach = 6;
/// So many places lie within the reach; those behind count for nothing and fill the last vector.
constexpr int direction_place_count = 120;

struct DirectionPlaces : Places<direction_place_count> {
    DirectionPlaces() : Places{} {
        int count = 0;
        for (int row = -direction_reach; row <= direction_reach; ++row) {
            for (int column = -direction_reach; column <= direction_reach; ++column) {
                const int square = row * row + column * column;
                if (square > direction_reach * direction_reach) continue;
                u[count] = 0.75f * float(column);
                v[count] = 0.75f * float(row);
                weight[count++] = std::exp(-float(square) / (2 * 2.4f * 2.4f));
            }
        }
    }
};

constexpr int bins = 36;

/// Sums of gradients by their direction, in a ring: before the first is the last once more, and behind the last the first.
struct Histogram {
    float sums[bins + 2];

    float *begin() { return sums + 1; }

    void close() {
        sums[0] = sums[bins];
        sums[bins + 1] = sums[1];
    }
};

/// A place in the scale space around which the picture is described.
struct Middle {
    const Plane *plane;
    float x, y, sigma;
};

/// Gradients around a place: to which two bins each counts, and how much.
struct BinnedGradients {
    static constexpr int count = direction_place_count;
    int bin[count], next_bin[count];
    float weight[count], next_weight[count];

    [[gnu::always_inline]] void find(const DirectionPlaces &places, const Middle &middle) {
        float gx[count], gy[count];
        find_gradients(*middle.plane, places, {middle.x, middle.y, middle.sigma, 0}, gx, gy);
        for (int i = 0; i < count; ++i) {
            const float square = gx[i] * gx[i] + gy[i] * gy[i];
            const float whole = places.weight[i] * square * inverse_root(square + 1e-6f);
            const float angle = fast_angle(gy[i], gx[i]) * float(bins / (2 * M_PI)) + bins;
            const int unwrapped = int(angle);
            const float part = angle - float(unwrapped);
            bin[i] = unwrapped < bins ? unwrapped : unwrapped - bins;
            next_bin[i] = bin[i] + 1 < bins ? bin[i] + 1 : 0;
            weight[i] = whole * (1 - part);
            next_weight[i] = whole * part;
        }
    }
};

/// Sums of gradients by their direction around two places: within one histogram, each sum waits for the one before.
CFEATURES_WIDE void sum_directions(const DirectionPlaces &places, const Middle *middles, Histogram *histograms) {
    BinnedGradients first, second;
    first.find(places, middles[0]);
    second.find(places, middles[1]);
    for (int k = 0; k < 2; ++k) std::fill_n(histograms[k].begin(), bins, 0.0f);
    float *first_sums = histograms[0].begin(), *second_sums = histograms[1].begin();
    for (int i = 0; i < BinnedGradients::count; ++i) {
        first_sums[first.bin[i]] += first.weight[i];
        second_sums[second.bin[i]] += second.weight[i];
        first_sums[first.next_bin[i]] += first.next_weight[i];
        second_sums[second.next_bin[i]] += second.next_weight[i];
    }
}

/// The directions in which the light grows most, the strongest first.
int find_directions(Histogram histogram, int limit, float *angles) {
    for (int round = 0; round < 3; ++round) {
        histogram.close();
        Histogram smooth;
        for (int i = 1; i <= bins; ++i) {
            smooth.sums[i] = 0.25f * (histogram.sums[i - 1] + histogram.sums[i + 1]) + 0.5f * histogram.sums[i];
        }
        histogram = smooth;
    }
    histogram.close();
    const float highest = *std::max_element(histogram.begin(), histogram.begin() + bins);
    std::array<std::pair<float, float>, bins> peaks;
    int count = 0;
    for (int i = 0; i < bins; ++i) {
        const float before = histogram.sums[i], peak = histogram.sums[i + 1], behind = histogram.sums[i + 2];
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
CFEATURES_WIDE void describe(const Lattice &places, const Middle &middle, float angle, float *sums) {
    constexpr float r = float(M_SQRT1_2);
    const float c = std::cos(angle), s = std::sin(angle);
    float gx[lattice_size], gy[lattice_size];
    find_gradients(*middle.plane, places, {middle.x, middle.y, c * middle.sigma, s * middle.sigma}, gx, gy);
    // Strong edges count less than in proportion: their contrast is the ink's, not the drawing's.
    float along[lattice_size], across[lattice_size], least[lattice_size];
    for (int i = 0; i < lattice_size; ++i) {
        const float square = gx[i] * gx[i] + gy[i] * gy[i];
        const float magnitude = square * inverse_root(square + 1e-6f);
        const float scale = square < 1 ? 0 : places.weight[i] * inverse_root(magnitude + 1e-6f);
        along[i] = (c * gx[i] + s * gy[i]) * scale;
        across[i] = (c * gy[i] - s * gx[i]) * scale;
        least[i] = r * magnitude * scale;
    }
    // Four directions, and those opposite to them.
    const Eight direction_x = {1, r, 0, -r, -1, -r, 0, r}, direction_y = {0, r, 1, r, 0, -r, -1, -r};
    Eight totals[fields * fields] = {};
    for (int row = 0; row < lattice; ++row) {
        // Before the first field and behind the last is one more, to which nothing counts.
        Eight in_row[fields + 2] = {};
#pragma unroll
        for (int column = 0; column < lattice; ++column) {
            const int i = row * lattice + column;
            Eight here = along[i] * direction_x + across[i] * direction_y - least[i];
            here = here > 0 ? here : Eight{};
            for (int k = 0; k < 2; ++k) {
                in_row[field_shares.first[column] + k + 1] += here * field_shares.weights[column][k];
            }
        }
        for (int k = 0; k < 2; ++k) {
            const float weight = field_shares.weights[row][k];
            if (weight == 0) continue;
            Eight *total = totals + (field_shares.first[row] + k) * fields;
            for (int field = 0; field < fields; ++field) total[field] += in_row[field + 1] * weight;
        }
    }
    std::memcpy(sums, totals, sizeof totals);
}

/// The spectrum of a descriptor whose length is 1000.
CFEATURES_WIDE void find_forms(const Bases &bases, const float *sums, float *forms) {
    float squares = 0;
    for (int i = 0; i < fields * fields * directions; ++i) squares += sums[i] * sums[i];
    const float scale = 1000 / std::sqrt(squares + 1e-6f);
    // Each sum runs over eight waves at once.
    float angular[fields * fields][directions] = {}, rows[fields * fields][directions] = {};
    for (int f = 0; f < fields * fields; ++f) {
        for (int b = 0; b < directions; ++b) {
            const float sum = sums[f * directions + b] * scale;
            for (int k = 0; k < directions; ++k) angular[f][k] += bases.angle[b][k] * sum;
        }
    }
    for (int y = 0; y < fields; ++y) {
        for (int u = 0; u < fields; ++u) {
            for (int x = 0; x < fields; ++x) {
                for (int k = 0; k < directions; ++k) {
                    rows[y * fields + u][k] += bases.space[u][x] * angular[y * fields + x][k];
                }
            }
        }
    }
    std::fill_n(forms, fields * fields * directions, 0.0f);
    for (int v = 0; v < fields; ++v) {
        for (int y = 0; y < fields; ++y) {
            for (int u = 0; u < fields; ++u) {
                for (int k = 0; k < directions; ++k) {
                    forms[(v * fields + u) * directions + k] += bases.space[v][y] * rows[y * fields + u][k];
                }
            }
        }
    }
}

/// The order of the forms, list by list.
struct FormLists {
    int32_t indices[CFEATURES_SIGNATURE_BITS];
    float means[CFEATURES_SIGNATURE_BITS];

    FormLists() {
        for (int bit = 0; bit < CFEATURES_SIGNATURE_BITS; ++bit) {
            indices[bit] = form_order[bit].index;
            means[bit] = form_order[bit].mean;
        }
    }
};

/// Writes the signs of the forms, the most telling first, and the first of them themselves.
CFEATURES_WIDE void sign(const FormLists &lists, const float *forms, CFeature &feature) {
    float values[CFEATURES_SIGNATURE_BITS];
    for (int bit = 0; bit < CFEATURES_SIGNATURE_BITS; ++bit) values[bit] = forms[lists.indices[bit]] - lists.means[bit];
    for (int word = 0; word < CFEATURES_SIGNATURE_BITS / 64; ++word) {
        uint64_t signs = 0;
        for (int bit = 0; bit < 64; ++bit) signs |= uint64_t(values[64 * word + bit] > 0) << (63 - bit);
        feature.signature[word] = signs;
    }
    for (int bit = 0; bit < CFEATURES_KEY_FORMS; ++bit) feature.key_forms[bit] = int16_t(values[bit]);
}

/// An extremum in the plane that shows it best.
Middle middle_of(const CFeaturesScaleSpace &space, const Extremum &extremum) {
    const int nearest = std::clamp(int(std::lround(extremum.fine_scale)), 0, scale_count - 1);
    return {
        &space.planes[size_t(extremum.octave)][size_t(nearest)], extremum.x, extremum.y,
        first_sigma * std::exp2(extremum.fine_scale / searched_scale_count)};
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

CFeaturesStatus cfeatures_find(
    const CFeaturesScaleSpace *space, int32_t direction_limit, CFeature *features, int32_t capacity, int32_t *count) {
    if (!space || !count || capacity < 0 || (capacity > 0 && !features) || direction_limit < 1 || direction_limit > 4)
        return CFEATURES_INVALID_ARGUMENT;
    static const Lattice places;
    static const DirectionPlaces direction_places;
    static const Bases bases;
    static const FormLists lists;
    return guarded([&] {
        *count = 0;
        const std::vector<Extremum> extrema = strongest(*space, size_t(capacity));
        Histogram histograms[2];
        for (size_t number = 0; number < extrema.size(); ++number) {
            if (number % 2 == 0) {
                const Extremum &next = extrema[std::min(number + 1, extrema.size() - 1)];
                const Middle middles[] = {middle_of(*space, extrema[number]), middle_of(*space, next)};
                sum_directions(direction_places, middles, histograms);
            }
            const Extremum &extremum = extrema[number];
            const Middle middle = middle_of(*space, extremum);
            const float size = space->pixel_size(extremum.octave);
            // Halving before the first octave moves the pixels' centres; thinning out does not.
            const float first_size = float(1 << space->halvings);
            float angles[4];
            const int angle_count = find_directions(histograms[number % 2], direction_limit, angles);
            for (int i = 0; i < angle_count && *count < capacity; ++i) {
                CFeature &feature = features[(*count)++];
                feature.x_px = extremum.x * size + 0.5f * (first_size - 1);
                feature.y_px = extremum.y * size + 0.5f * (first_size - 1);
                feature.scale_px = middle.sigma * size;
                feature.angle_rad = angles[i];
                feature.strength = extremum.strength;
                float sums[fields * fields * directions], forms[fields * fields * directions];
                describe(places, middle, angles[i], sums);
                find_forms(bases, sums, forms);
                sign(lists, forms, feature);
            }
        }
        return CFEATURES_OK;
    });
}
