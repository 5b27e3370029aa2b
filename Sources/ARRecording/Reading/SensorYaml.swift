// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// Reads EuRoC's `sensor.yaml` files and lists every rule that they break, not only the first.
struct SensorYaml {
    private let node: DocumentNode
    private(set) var errors: [RecordingError] = []

    init(_ node: DocumentNode) { self.node = node }

    /// A rotation whose RᵀR is further than this from the identity is none. Calibrations are typed with as few as five
    /// digits.
    static let rotationTolerance = 1e-4

    // MARK: Values with their rules

    private mutating func attempt<Value>(_ body: () throws(RecordingError) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }

    private mutating func number(_ key: String, default missing: Double? = nil) -> Double? {
        attempt { [node] () throws(RecordingError) in
            try reading { () throws(DocumentError) in
                if let missing { try node.value(key)?.double() ?? missing } else { try node.required(key).double() }
            }
        }
    }

    /// Whether something stands for a key; also where that cannot be told, which is an error of its own.
    private mutating func has(_ key: String) -> Bool {
        attempt { [node] () throws(RecordingError) in
            try reading { () throws(DocumentError) in try node.value(key) != nil }
        } ?? true
    }

    private mutating func nanoseconds(_ key: String) -> Int64? {
        attempt { [node] () throws(RecordingError) in
            try reading { () throws(DocumentError) in try node.value(key)?.int64() ?? 0 }
        }
    }

    /// The sensor's pose in the body: EuRoC's `T_BS`, sixteen numbers row after row, as a list or as OpenCV's record.
    mutating func bodyFromSensor() -> RigidTransform? {
        attempt { [node] () throws(RecordingError) in
            let value = try reading { () throws(DocumentError) in try node.required("T_BS") }
            return try RigidTransform(matrix: value)
        }
    }

    // MARK: Camera

    /// The camera's calibration, or `nil` when a rule is broken.
    mutating func camera(imuFromBody: RigidTransform) -> CameraCalibration? {
        let bodyFromOptical = bodyFromSensor()
        let rate = number("rate_hz")
        let resolution = resolution()
        let intrinsics = intrinsics(resolution: resolution)
        let camera = attempt { [node] () throws(RecordingError) in
            try Camera(intrinsics ?? PinholeIntrinsics(fx: 1, fy: 1, cx: 0, cy: 0), models: node)
        }
        let readout = nanoseconds("readout_ns")
        let offset = nanoseconds("imu_from_camera_time_offset_ns")
        var uncertainty = uncertainty(CameraCalibration.Uncertainty.self)
        if !has("readout_ns"), uncertainty?.readoutSeconds == nil {
            uncertainty?.readoutSeconds = CameraCalibration.Uncertainty.unstatedReadoutSeconds
        }
        guard let bodyFromOptical, let rate, let resolution, intrinsics != nil, let camera, let readout, let offset,
            let uncertainty
        else {
            return nil
        }
        var calibration = CameraCalibration(
            camera: camera, imageSize: resolution, imuFromOptical: imuFromBody * bodyFromOptical, rateInHertz: rate,
            readoutNanoseconds: readout, imuFromCameraTimeOffsetNanoseconds: offset)
        calibration.uncertainty = uncertainty
        return calibration
    }

    /// What is said of how well the calibration is known, or `nil` when a rule is broken.
    private mutating func uncertainty<Stated: StatedUncertainty>(_: Stated.Type) -> Stated? {
        attempt { [node] () throws(RecordingError) in
            try reading { () throws(DocumentError) in
                var uncertainty = Stated()
                for (key, field, unit) in Stated.yamlKeys {
                    guard let value = try node.value(key) else { continue }
                    let deviation = try value.double()
                    guard deviation > 0 else { throw value.error(expected: "a standard deviation above zero") }
                    uncertainty[keyPath: field] = deviation * unit
                }
                return uncertainty
            }
        }
    }

    private mutating func resolution() -> ImageSize? {
        attempt { [node] () throws(RecordingError) in
            try reading { () throws(DocumentError) in
                let value = try node.required("resolution")
                let size = try value.items(count: 2)
                let (width, height) = (try size[0].int64(), try size[1].int64())
                guard (1...65535).contains(width), (1...65535).contains(height) else {
                    throw DocumentError(
                        file: value.file, line: value.line, column: value.column, found: "\(width)×\(height)",
                        expected: "a width and a height from 1 to 65535 pixels")
                }
                return ImageSize(width: Int(width), height: Int(height))
            }
        }
    }

    private mutating func intrinsics(resolution: ImageSize?) -> PinholeIntrinsics? {
        guard
            let (value, numbers) = attempt({ [node] () throws(RecordingError) in
                try reading { () throws(DocumentError) in
                    let value = try node.required("intrinsics")
                    return (value, try value.doubles(count: 4))
                }
            })
        else { return nil }
        let intrinsics = PinholeIntrinsics(fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3])
        let count = errors.count
        if intrinsics.fx <= 0 || intrinsics.fy <= 0 {
            errors.append(
                value.broken(
                    .focalLength, found: "focal lengths \(numbers[0]), \(numbers[1])", expected: "positive numbers"))
        }
        if let resolution, !resolution.contains(PixelPoint(intrinsics.cx, intrinsics.cy)) {
            errors.append(
                value.broken(
                    .principalPoint, found: "principal point \(numbers[2]), \(numbers[3])",
                    expected: "a point in the picture of \(resolution)"))
        }
        return errors.count == count ? intrinsics : nil
    }

    // MARK: IMU

    /// The inertial sensor's calibration, or `nil` when a rule is broken.
    mutating func imu() -> ImuCalibration? {
        let rate = number("rate_hz")
        let gyroscopeNoise = number("gyroscope_noise_density")
        let gyroscopeWalk = number("gyroscope_random_walk")
        let accelerometerNoise = number("accelerometer_noise_density")
        let accelerometerWalk = number("accelerometer_random_walk")
        let uncertainty = uncertainty(ImuCalibration.Uncertainty.self)
        guard let rate, let gyroscopeNoise, let gyroscopeWalk, let accelerometerNoise, let accelerometerWalk,
            let uncertainty
        else {
            return nil
        }
        var calibration = ImuCalibration(
            rateInHertz: rate, gyroscopeNoiseDensity: gyroscopeNoise, gyroscopeRandomWalk: gyroscopeWalk,
            accelerometerNoiseDensity: accelerometerNoise, accelerometerRandomWalk: accelerometerWalk)
        calibration.uncertainty = uncertainty
        return calibration
    }
}

/// How well a sensor's calibration is known, where its `sensor.yaml` says so.
protocol StatedUncertainty {
    /// Nothing said.
    init()

    /// The keys of `sensor.yaml`, what they stand for, and how much one of their units is of what that is counted in.
    static var yamlKeys: [(key: String, field: WritableKeyPath<Self, Double?>, unit: Double)] { get }
}

extension CameraCalibration.Uncertainty: StatedUncertainty {
    static var yamlKeys: [(key: String, field: WritableKeyPath<Self, Double?>, unit: Double)] {
        [
            ("focal_length_deviation_percent", \.focalShare, 0.01),
            ("principal_point_deviation_px", \.principalPointPixels, 1),
            ("radial_distortion_deviation", \.radialDistortion, 1),
            ("T_BS_rotation_deviation_rad", \.rotationRadians, 1),
            ("T_BS_translation_deviation_m", \.translationMeters, 1),
            ("time_offset_deviation_s", \.timeOffsetSeconds, 1),
            ("readout_deviation_s", \.readoutSeconds, 1),
        ]
    }
}

extension ImuCalibration.Uncertainty: StatedUncertainty {
    static var yamlKeys: [(key: String, field: WritableKeyPath<Self, Double?>, unit: Double)] {
        [
            ("gyroscope_scale_deviation_percent", \.gyroscopeScale, 0.01),
            ("gyroscope_misalignment_deviation_rad", \.gyroscopeMisalignmentRadians, 1),
            ("accelerometer_scale_deviation_percent", \.accelerometerScale, 0.01),
            ("accelerometer_misalignment_deviation_rad", \.accelerometerMisalignmentRadians, 1),
            ("accelerometer_lag_deviation_s", \.accelerometerLagSeconds, 1),
        ]
    }
}

extension DocumentNode {
    /// The error that the value breaks a rule.
    func broken(_ rule: RecordingError.Rule, found: String? = nil, expected: String) -> RecordingError {
        RecordingError(
            rule, file: file, line: line, column: column, found: found ?? self.found, expected: expected)
    }
}

extension RigidTransform {
    /// Reads sixteen numbers row after row: a list, a list of four rows, or OpenCV's record with `data`.
    init(matrix node: DocumentNode) throws(RecordingError) {
        let numbers = try reading { () throws(DocumentError) in
            var list = node
            if case .record = node.content { list = try node.required("data") }
            if case .list(let rows) = list.content, rows.count == 4 {
                var numbers: [Double] = []
                for row in rows { numbers += try row.doubles(count: 4) }
                return numbers
            }
            return try list.doubles(count: 16)
        }
        func row(_ index: Int) -> Vector3 {
            Vector3(numbers[4 * index], numbers[4 * index + 1], numbers[4 * index + 2])
        }
        let matrix = Matrix3x3(row(0), row(1), row(2)).transpose
        guard Array(numbers[12...]) == [0, 0, 0, 1],
            let rotation = Rotation(matrix, tolerance: SensorYaml.rotationTolerance)
        else {
            throw node.broken(.notRigid, found: "a matrix that is no rigid transform", expected: "a rigid transform")
        }
        self.init(rotation: rotation, translation: Vector3(numbers[3], numbers[7], numbers[11]))
    }
}

extension Camera {
    /// The camera with these intrinsics and the models and distortion that a `sensor.yaml` names.
    init(_ intrinsics: PinholeIntrinsics, models node: DocumentNode) throws(RecordingError) {
        let (modelNode, distortionNode, coefficients) = try reading { () throws(DocumentError) in
            let coefficients = try node.value("distortion_coefficients")
            return (try node.value("camera_model"), try node.value("distortion_model"), coefficients)
        }
        if let modelNode, modelNode.found != "\"pinhole\"" {
            throw modelNode.broken(.unknownModel, expected: "pinhole")
        }
        let numbers = try reading { () throws(DocumentError) in try coefficients?.doubles() ?? [] }
        switch distortionNode?.found {
        case nil, "\"none\"":
            guard numbers.allSatisfy({ $0 == 0 }) else {
                throw node.broken(
                    .unknownModel, found: "distortion coefficients without a model", expected: "a distortion_model")
            }
            self = .pinhole(PinholeCamera(intrinsics))
        case "\"radial-tangential\"", "\"radtan\"", "\"plumb_bob\"":
            guard numbers.count == 4 || numbers.count == 5 else {
                throw (coefficients ?? node).broken(
                    .malformedDocument, found: "\(numbers.count) distortion coefficients",
                    expected: "k1, k2, p1, p2 and perhaps k3")
            }
            self = .radialTangential(
                RadialTangentialCamera(
                    intrinsics, k1: numbers[0], k2: numbers[1], p1: numbers[2], p2: numbers[3],
                    k3: numbers.count == 5 ? numbers[4] : 0))
        case "\"equidistant\"", "\"equi\"", "\"fisheye\"":
            guard numbers.count == 4 else {
                throw (coefficients ?? node).broken(
                    .malformedDocument, found: "\(numbers.count) distortion coefficients", expected: "k1, k2, k3, k4")
            }
            self = .equidistant(
                EquidistantCamera(intrinsics, k1: numbers[0], k2: numbers[1], k3: numbers[2], k4: numbers[3]))
        default:
            throw (distortionNode ?? node).broken(
                .unknownModel, expected: "radial-tangential (radtan, plumb_bob), equidistant (equi, fisheye) or none")
        }
    }
}
