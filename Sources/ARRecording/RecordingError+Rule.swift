// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension RecordingError {
    /// The rules of the recording format.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Every file that the layout needs is there.
        case missingFile
        /// Files can be read to their end.
        case unreadableFile
        /// Files can be written.
        case unwritableFile
        /// JSON and YAML files follow their grammar and have the keys that are needed, with values of the right kind.
        case malformedDocument
        /// `session.json` has a format version that this reader knows.
        case formatVersion
        /// The recording was finished.
        case incompleteRecording
        /// Pictures of an unfinished recording are whole: its frames end before the first that is not.
        case cutPicture
        /// A fault was applied, and is declared.
        case declaredFault
        /// Events come in the order of their stamps, once each, unless a declared fault says otherwise.
        case undeclaredArrival
        /// What `arrivals.csv` lists is in the tables.
        case arrivalWithoutEvent
        /// A sensor goes on at its rate, unless a declared fault says otherwise.
        case undeclaredGap
        /// `session.json` counts what is there.
        case countMismatch
        /// A row has the number of columns that its table has.
        case columnCount
        /// A column that holds a number holds a number.
        case badNumber
        /// Numbers are finite.
        case notFinite
        /// Stamps increase from row to row.
        case stampOrder
        /// No two rows have the same stamp.
        case duplicateStamp
        /// The last row ends with a line's end, or it may have been cut.
        case unterminatedRow
        /// There is at least one frame.
        case noFrames
        /// Every row of a camera has its picture.
        case frameWithoutImage
        /// Every picture of a camera has its row.
        case imageWithoutFrame
        /// Pictures decode.
        case damagedImage
        /// Pictures have the size that the calibration says.
        case imageSize
        /// Pictures of objects show what `truth.json` lists.
        case unknownObject
        /// A calibration's transform is a rotation and a translation.
        case notRigid
        /// Focal lengths are positive.
        case focalLength
        /// The principal point lies in the picture.
        case principalPoint
        /// The camera and distortion models are known.
        case unknownModel
        /// Quaternions have length one.
        case quaternionLength
        /// Declared planes have an outline, and names that are unique.
        case declaredPlane
        /// Video needs the programs `ffmpeg` and `ffprobe`.
        case videoProgram
        /// The video program reads the file.
        case videoFailed
        /// A recipe and its files agree.
        case recipe
        /// A new recording is written to a folder of its own.
        case outputExists
    }
}

extension RecordingError.Rule {
    /// How bad it is when the rule is broken.
    public var severity: RecordingError.Severity {
        switch self {
        case .declaredFault: .information
        case .incompleteRecording, .countMismatch, .unterminatedRow, .imageWithoutFrame, .cutPicture,
            .undeclaredArrival, .arrivalWithoutEvent, .undeclaredGap:
            .warning
        default: .error
        }
    }

    /// What to do when the rule is broken.
    public var advice: String {
        switch self {
        case .missingFile: "put the file there, or check the path"
        case .unreadableFile: "copy the recording again"
        case .unwritableFile: "check the disk's space and the folder's permissions"
        case .malformedDocument: "correct the file at this place"
        case .formatVersion: "read it with a newer arsim, or convert it"
        case .incompleteRecording: "it can be read up to its last frame; convert it to finish it"
        case .cutPicture: "its frames are read up to here; convert it to leave the rest out"
        case .declaredFault: "nothing: it is so on purpose"
        case .undeclaredArrival: "declare the fault in session.json, or remove arrivals.csv to sort the events"
        case .arrivalWithoutEvent: "remove the row, or restore the event's"
        case .undeclaredGap: "check whether rows were lost; a fault that is applied with arsim mutate is declared"
        case .countMismatch: "rows were lost or added after the recording was finished: copy it again or convert it"
        case .columnCount: "add or remove columns; values are separated by commas"
        case .badNumber: "write a number, with a point as the decimal sign"
        case .notFinite: "remove the row, or write the number that was measured"
        case .stampOrder: "sort the rows by their stamps"
        case .duplicateStamp: "remove one of the rows"
        case .unterminatedRow: "check that the row is whole and end it with a newline"
        case .noFrames: "a recording needs at least one frame"
        case .frameWithoutImage: "restore the picture or remove the row"
        case .imageWithoutFrame: "add a row to data.csv or remove the picture"
        case .damagedImage: "restore the picture or remove its row"
        case .imageSize: "calibrate at the size of the pictures, or scale them"
        case .unknownObject: "add the thing to \"objects\" in truth.json, or correct the picture"
        case .notRigid: "write the sixteen numbers row after row, the rotation orthonormal, the last row 0 0 0 1"
        case .focalLength: "write fu, fv, cu, cv in pixels"
        case .principalPoint: "write fu, fv, cu, cv in pixels, for pictures of this resolution"
        case .unknownModel: "use camera_model pinhole with distortion_model radial-tangential, equidistant or none"
        case .quaternionLength: "write w, x, y, z of a unit quaternion"
        case .declaredPlane: "give each plane its own name and at least three corners"
        case .videoProgram: "install it: apt-get install ffmpeg"
        case .videoFailed: "check that ffmpeg can play the file"
        case .recipe: "correct the recipe at this place; the format is described in ARRecording's documentation"
        case .outputExists: "choose another folder or remove this one"
        }
    }
}
