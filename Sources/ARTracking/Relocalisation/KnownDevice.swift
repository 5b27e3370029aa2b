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
    /// How well both are known: the covariance of the variables of ``StartLayout``, without velocity, gravity and focal lengths.
    private let covariance: DenseMatrix
    /// How well the focal lengths, the principal point and the exposure are known.
    private let uncertainty: CalibrationUncertainty

    /// What a filter knows.
    init(_ filter: VisualInertialFilter) {
        errors = filter.navigation.errors
        calibration = filter.calibration
        var covariance = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        for row in StartLayout.device {
            for column in StartLayout.device {
                covariance[row.start, column.start] = filter.covariance[row.state, column.state]
            }
        }
        self.covariance = covariance
        func variance(_ variable: Int) -> Double { filter.covariance[variable, variable] }
        let (first, lens) = (StateLayout.intrinsics, filter.calibration.camera.intrinsics)
        let byFocal = (variance(first) / (lens.fx * lens.fx) + variance(first + 1) / (lens.fy * lens.fy)) / 2
        var uncertainty = CalibrationUncertainty()
        uncertainty.ownFocal = byFocal.squareRoot()
        uncertainty.principalPoint = ((variance(first + 2) + variance(first + 3)) / 2).squareRoot()
        uncertainty.exposureVariance = variance(StateLayout.exposure).squareRoot()
        self.uncertainty = uncertainty
    }

    /// The beginning of a filter that is told how the device moves now. How well the motion knows the biases says how far
    /// they may have gone meanwhile.
    func start(from known: KnownMotion, settings: InitialisationSettings) -> Initialiser.Start {
        var start = Initialiser.Start(known, calibration: calibration, settings: settings)
        start.navigation.errors = errors
        start.uncertainty = uncertainty
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
