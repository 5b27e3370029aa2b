// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// Projection through distorted lenses against OpenCV: `size` different points, over and over until `total` are done.
func cameraBenchmarks(size: Int, total: Int) -> [Benchmark] {
    var random = SystemIndependentRandom()
    let points = Batch(count: size) { random.visiblePoint() }
    let packedPoints = points.mapped(PackedPoint.init)
    let ours = Batch(count: size) { PixelPoint(0, 0) }
    let theirs = Batch(count: size) { PixelPoint(0, 0) }

    func benchmark(_ name: String, _ camera: some CameraModel, _ model: CVisionCameraModel) -> Benchmark {
        var rival = CVisionCamera()
        rival.model = model
        (rival.fx, rival.fy) = (camera.intrinsics.fx, camera.intrinsics.fy)
        (rival.cx, rival.cy) = (camera.intrinsics.cx, camera.intrinsics.cy)
        withUnsafeMutableBytes(of: &rival.distortion) { bytes in
            for (index, parameter) in camera.distortion.enumerated() {
                bytes.storeBytes(of: parameter, toByteOffset: 8 * index, as: Double.self)
            }
        }
        return Benchmark(
            name: name, rival: "OpenCV", count: total,
            ours: {
                repeatedly(size, total: total) {
                    camera.project(UnsafeBufferPointer(points.values), into: ours.values)
                }
            },
            theirs: {
                repeatedly(size, total: total) {
                    let status = cvision_project_points(&rival, packedPoints.doubles, Int32(size), theirs.doubles)
                    precondition(status == CVISION_OK, String(cString: cvision_status_message(status)))
                }
            },
            disagreement: { ours.largestDifference(from: theirs, comparing: 2) })
    }

    let intrinsics = PinholeIntrinsics(fx: 458.654, fy: 457.296, cx: 367.215, cy: 248.375)
    return [
        benchmark(
            "project, radial-tangential",
            RadialTangentialCamera(intrinsics, k1: -0.28, k2: 0.074, p1: 0.000_19, p2: 0.000_018),
            CVISION_RADIAL_TANGENTIAL),
        benchmark(
            "project, equidistant", EquidistantCamera(intrinsics, k1: -0.013, k2: 0.002, k3: -0.001, k4: 0.000_2),
            CVISION_EQUIDISTANT),
    ]
}
