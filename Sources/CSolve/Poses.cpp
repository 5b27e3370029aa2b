// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Batch.hpp"

#include <eigen3/Eigen/Geometry>

namespace {

using Rotation = Eigen::Map<const Eigen::Quaterniond, Eigen::Aligned16>;
using Translation = Eigen::Map<const Eigen::Vector3d, Eigen::Aligned16>;
using csolve::is_buffer;
using csolve::vector_alignment;

static_assert(sizeof(CSolvePose) == 64, "a pose is two SIMD4<Double> of Swift");

/// Points that begin every `Stride` doubles. Written as a sum of columns, which the compiler keeps in registers; the
/// product of the matrix and the point goes through memory in some of them, seven times as slow.
template <int Stride> void transform(const CSolvePose &pose, const double *from, int64_t count, double *to) {
    const Eigen::Matrix3d rotation = Eigen::Quaterniond(pose.rotation_xyzw).toRotationMatrix();
    const Eigen::Vector3d x_axis = rotation.col(0), y_axis = rotation.col(1), z_axis = rotation.col(2);
    const Eigen::Vector3d translation(pose.translation_m);
    for (int64_t i = 0; i < count; ++i) {
        const double *point = from + i * Stride;
        Eigen::Map<Eigen::Vector3d>(to + i * Stride) =
            x_axis * point[0] + y_axis * point[1] + z_axis * point[2] + translation;
    }
}

} // namespace

CSolveStatus csolve_compose_poses(
    const CSolvePose *a_from_b, const CSolvePose *b_from_c, int64_t count, CSolvePose *a_from_c) {
    if (!is_buffer(a_from_b, count, vector_alignment) || !is_buffer(b_from_c, count, vector_alignment) ||
        !is_buffer(a_from_c, count, vector_alignment))
        return CSOLVE_INVALID_ARGUMENT;
    for (int64_t i = 0; i < count; ++i) {
        const Rotation a_from_b_rotation(a_from_b[i].rotation_xyzw);
        Eigen::Map<Eigen::Quaterniond, Eigen::Aligned16>(a_from_c[i].rotation_xyzw) =
            a_from_b_rotation * Rotation(b_from_c[i].rotation_xyzw);
        Eigen::Map<Eigen::Vector3d, Eigen::Aligned16>(a_from_c[i].translation_m) =
            a_from_b_rotation * Translation(b_from_c[i].translation_m) + Translation(a_from_b[i].translation_m);
    }
    return CSOLVE_OK;
}

CSolveStatus csolve_compose_isometries(
    const double *a_from_b, const double *b_from_c, int64_t count, double *a_from_c) {
    if (!is_buffer(a_from_b, count, vector_alignment) || !is_buffer(b_from_c, count, vector_alignment) ||
        !is_buffer(a_from_c, count, vector_alignment))
        return CSOLVE_INVALID_ARGUMENT;
    using Isometry = Eigen::Transform<double, 3, Eigen::Isometry, Eigen::DontAlign>;
    const auto *left = reinterpret_cast<const Isometry *>(a_from_b);
    const auto *right = reinterpret_cast<const Isometry *>(b_from_c);
    auto *product = reinterpret_cast<Isometry *>(a_from_c);
    for (int64_t i = 0; i < count; ++i) product[i] = left[i] * right[i];
    return CSOLVE_OK;
}

CSolveStatus csolve_transform_points(
    const CSolvePose *target_from_source, const double *points_in_source, int64_t count, int32_t doubles_per_point,
    double *points_in_target) {
    if (!is_buffer(target_from_source, 1) || !is_buffer(points_in_source, count) ||
        !is_buffer(points_in_target, count))
        return CSOLVE_INVALID_ARGUMENT;
    switch (doubles_per_point) {
    case 3: transform<3>(*target_from_source, points_in_source, count, points_in_target); return CSOLVE_OK;
    case 4: transform<4>(*target_from_source, points_in_source, count, points_in_target); return CSOLVE_OK;
    default: return CSOLVE_INVALID_ARGUMENT;
    }
}

CSolveStatus csolve_quaternions_from_3x3(const double *matrix, int64_t count, double *quaternions_xyzw) {
    using Batch = csolve::Matrices<3>;
    if (!Batch::is_batch(matrix, count) || !is_buffer(quaternions_xyzw, count)) return CSOLVE_INVALID_ARGUMENT;
    for (int64_t i = 0; i < count; ++i) {
        const Eigen::Quaterniond quaternion(Eigen::Matrix3d(Batch::at(matrix, i)));
        Eigen::Map<Eigen::Vector4d>(quaternions_xyzw + 4 * i) = quaternion.coeffs();
    }
    return CSOLVE_OK;
}
