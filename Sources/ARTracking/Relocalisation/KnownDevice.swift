// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// What was known of a device when its motion was lost: how its sensors err and how the camera sits on it do not change while
/// nothing is seen.
///
/// Without it the camera's turn on the device is as uncertain as at first, and the few points of the first frames turn the device
/// under the camera by degrees.
///
/// Law: `KnownDeviceTests.whatWasKnownIsKnownAgain`.
struct KnownDevice: Sendable {
    let errors: ImuErrors
    let calibration: CameraState
    /// How well both are known: the covariance of the variables of ``StartLayout``, without velocity and gravity. Errors of the focal lengths
    /// are all told as those of each for itself.
    private let covariance: DenseMatrix

    /// What a filter knows.
    init(_ filter: VisualInertialFilter) {
        errors = filter.navigation.errors
        calibration = filter.calibration
        var covariance = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        let lens = filter.calibration.camera.intrinsics
        var variables: [(start: Int, state: Int, unit: Double)] = StartLayout.device.map { ($0.start, $0.state, 1) }
        variables.append((StartLayout.ownFocal, StateLayout.intrinsics, lens.fx))
        variables.append((StartLayout.ownFocal + 1, StateLayout.intrinsics + 1, lens.fy))
        for row in variables {
            for column in variables {
                covariance[row.start, column.start] =
                    filter.covariance[row.state, column.state] / (row.unit * column.unit)
            }
        }
        self.covariance = covariance
    }

    /// The beginning of a filter that is told how the device moves now. How well the motion knows the biases says how far
    /// they may have gone meanwhile.
    func start(from known: KnownMotion, settings: InitialisationSettings) -> Initialiser.Start {
        var start = Initialiser.Start(known, calibration: calibration, settings: settings)
        start.navigation.errors = errors
        let biases = StartLayout.accelerometerBias..<StartLayout.gyroscopeDistortion
        for variable in StartLayout.accelerometerBias..<StartLayout.count {
            for other in StartLayout.accelerometerBias..<StartLayout.count {
                let isChange = variable == other && biases.contains(variable)
                let change = isChange ? start.covariance[variable, variable] : 0
                start.covariance[variable, other] = covariance[variable, other] + change
            }
        }
        return start
    }
}
