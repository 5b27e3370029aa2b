// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The one import for users: everything that crosses a module's border comes along.

@_exported import ARDrawing
@_exported import AREvaluation
@_exported import ARFaults
@_exported import ARFiles
@_exported import ARGeometry
@_exported import ARRecording
@_exported import ARSensing
@_exported import ARSimulation
@_exported import ARTargets
@_exported import ARTracking
@_exported import ARTruth
@_exported import ARVision
@_exported import ARWorld
