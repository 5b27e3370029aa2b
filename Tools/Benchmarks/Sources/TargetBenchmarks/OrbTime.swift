// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import OpenCVFeatures
import Timing

/// The yardstick: what OpenCV's ORB takes to find and describe 1,000 features of a grey picture.
func orbMilliseconds(for picture: ImageBuffer) -> Double {
    milliseconds {
        _ = opencv_describe_orb(picture.bytes, Int32(picture.size.width), Int32(picture.size.height), 1000)
    }
}
