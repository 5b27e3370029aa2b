// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Where a recipe's camera calibration comes from: a file of one of three kinds, the recipe itself, or the file with
/// some values replaced by the recipe's.
struct CalibrationRecipe: Sendable {
    /// The kinds of calibration file.
    enum Format: String, CaseIterable, Sendable {
        case euroc
        case kalibr
        case boofcv
    }

    /// Where a pixel's coordinates are counted from.
    enum PixelOrigin: String, CaseIterable, Sendable {
        /// The centre of the first pixel: OpenCV, Kalibr, and arsim.
        case center
        /// The upper-left corner of the first pixel: half a pixel more in both coordinates.
        case corner
    }

    private let node: DocumentNode
    private let file: String?
    private let format: Format
    private let pixelOrigin: PixelOrigin

    init(_ node: DocumentNode) throws(DocumentError) {
        self.node = node
        file = try node.value("file")?.string()
        format = try node.value("format")?.choice(of: Format.self) ?? .euroc
        pixelOrigin = try node.value("pixel_origin")?.choice(of: PixelOrigin.self) ?? .center
        try node.check(
            keys: [
                "file", "format", "pixel_origin", "T_BS", "rate_hz", "resolution", "camera_model", "intrinsics",
                "distortion_model", "distortion_coefficients", "readout_ns", "imu_from_camera_time_offset_ns",
            ] + CameraCalibration.Uncertainty.yamlKeys.map(\.key))
    }

    /// The calibration. A camera without `T_BS` is the body itself.
    func read(in folder: URL) throws(RecordingError) -> CameraCalibration {
        var entries: [(key: String, value: DocumentNode)] = []
        if let file {
            let document = try YamlDocument.read(folder.appendingPathComponent(file), name: file)
            entries = try reading { () throws(DocumentError) in
                switch format {
                case .euroc: try document.entries()
                case .kalibr: try Self.entries(kalibr: document)
                case .boofcv: try Self.entries(boofcv: document)
                }
            }
        }
        let own = try reading { () throws(DocumentError) in try node.entries() }
        entries.removeAll { entry in own.contains { $0.key == entry.key } }
        entries += own
        if !entries.contains(where: { $0.key == "T_BS" }) {
            entries.append(("T_BS", node.list([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])))
        }
        var yaml = SensorYaml(DocumentNode(.record(entries), file: node.file, line: node.line, column: node.column))
        guard var calibration = yaml.camera(imuFromBody: .identity) else { throw yaml.errors[0] }
        if pixelOrigin == .corner {
            calibration.camera = calibration.camera.movingPrincipalPoint(by: Vector2(-0.5, -0.5))
        }
        return calibration
    }

    /// Kalibr's camera chain: its first camera, as EuRoC would write it. `T_cam_imu` is optical from IMU.
    private static func entries(
        kalibr document: DocumentNode
    ) throws(DocumentError) -> [(key: String, value: DocumentNode)] {
        let camera = try document.required("cam0")
        var entries: [(key: String, value: DocumentNode)] = []
        for (key, value) in try camera.entries() {
            switch key {
            case "camera_model", "intrinsics", "resolution", "distortion_model": entries.append((key, value))
            case "distortion_coeffs": entries.append(("distortion_coefficients", value))
            case "timeshift_cam_imu":
                let nanoseconds = (try value.double() * 1e9).rounded()
                entries.append(
                    ("imu_from_camera_time_offset_ns", value.with(.number(String(Int64(nanoseconds))))))
            case "T_cam_imu":
                guard let opticalFromImu = try? RigidTransform(matrix: value) else {
                    throw value.error(expected: "four rows of four numbers, a rigid transform")
                }
                entries.append(("T_BS", value.list(opticalFromImu.inverse.rowMajor)))
            default: break
            }
        }
        return entries
    }

    /// BoofCV's intrinsic file, as EuRoC would write it.
    private static func entries(
        boofcv document: DocumentNode
    ) throws(DocumentError) -> [(key: String, value: DocumentNode)] {
        let pinhole = try document.required("pinhole")
        let skew = try pinhole.required("skew")
        guard try skew.double() == 0 else { throw skew.error(expected: "a skew of 0") }
        var intrinsics: [DocumentNode] = []
        for key in ["fx", "fy", "cx", "cy"] { intrinsics.append(try pinhole.required(key)) }
        var entries = [
            ("intrinsics", pinhole.with(.list(intrinsics))),
            ("resolution", pinhole.with(.list([try pinhole.required("width"), try pinhole.required("height")]))),
        ]
        if let distortion = try document.value("radial_tangential") {
            let radial = try distortion.required("radial")
            var numbers = try radial.doubles()
            guard numbers.count <= 3 else { throw radial.error(expected: "at most three coefficients") }
            numbers += [Double](repeating: 0, count: 3 - numbers.count)
            let tangential = [try distortion.required("t1").double(), try distortion.required("t2").double()]
            entries.append(("distortion_model", distortion.with(.string("radial-tangential"))))
            entries.append(
                ("distortion_coefficients", distortion.list(numbers.prefix(2) + tangential + numbers.suffix(1))))
        }
        return entries
    }
}

extension DocumentNode {
    /// Another value at the same place.
    fileprivate func with(_ content: Content) -> DocumentNode {
        DocumentNode(content, file: file, line: line, column: column)
    }

    /// A list of numbers at the same place.
    fileprivate func list(_ numbers: [Double]) -> DocumentNode {
        with(.list(numbers.map { with(.number(NumberText.string($0))) }))
    }
}

extension Camera {
    /// The same lens with its principal point elsewhere.
    func movingPrincipalPoint(by offset: Vector2) -> Camera {
        var intrinsics = intrinsics
        intrinsics.cx += offset.x
        intrinsics.cy += offset.y
        switch self {
        case .pinhole(var model):
            model.intrinsics = intrinsics
            return .pinhole(model)
        case .radialTangential(var model):
            model.intrinsics = intrinsics
            return .radialTangential(model)
        case .equidistant(var model):
            model.intrinsics = intrinsics
            return .equidistant(model)
        }
    }
}
