// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension TargetFinding {
    /// The finding with its name, and with its pose where camera and width are known.
    func sighting(of identity: TargetIdentity, in storage: TargetStorage, camera: Camera?) -> TargetSighting {
        let pose = camera.flatMap { camera in
            storage.entries[target].physicalSize.flatMap { size in
                PrintPose(
                    pixelFromPrint: pixelFromPrint, physicalSize: size, camera: camera, deviation: deviation,
                    partCount: partCount)
            }
        }
        return TargetSighting(
            target: identity, confidence: confidence, pixelFromPrint: pixelFromPrint, corners: corners,
            inlierCount: support, cameraFromTarget: pose?.cameraFromTarget, covariance: pose?.covariance,
            isInverse: isInverse)
    }
}
