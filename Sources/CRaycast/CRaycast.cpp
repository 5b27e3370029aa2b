// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CRaycast.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace {

constexpr size_t packetSize = 16;

/// Embree's own instance number of the static scene in the top scene.
constexpr unsigned staticInstance = 0;

/// A moving mesh: its own small scene, seen through an instance.
struct Moving {
    int32_t object;
    RTCScene meshScene;
    RTCGeometry instance;
    float rotation[9];
};

CRaycastStatus statusOf(RTCError error) {
    switch (error) {
    case RTC_ERROR_NONE: return CRAYCAST_OK;
    case RTC_ERROR_OUT_OF_MEMORY: return CRAYCAST_OUT_OF_MEMORY;
    default: return CRAYCAST_BACKEND_FAILED;
    }
}

bool isValid(const CRaycastMesh *mesh) {
    if (!mesh || !mesh->positions || !mesh->triangles || mesh->vertex_count == 0 || mesh->triangle_count == 0)
        return false;
    const uint32_t *end = mesh->triangles + 3 * mesh->triangle_count;
    return std::all_of(mesh->triangles, end, [&](uint32_t index) { return index < mesh->vertex_count; });
}

bool areValid(const CRaycastRays *rays) {
    return rays && rays->origin_x && rays->origin_y && rays->origin_z && rays->direction_x && rays->direction_y
        && rays->direction_z;
}

}  // namespace

struct CRaycastScene {
    RTCDevice device = nullptr;
    RTCScene top = nullptr;
    RTCScene fixed = nullptr;
    RTCGeometry fixedInstance = nullptr;
    /// Our object numbers by Embree's geometry numbers in `fixed`.
    std::vector<int32_t> fixedObjects;
    /// Moving meshes; Embree's instance number is the index plus one.
    std::vector<Moving> moving;
    int32_t objectCount = 0;
    bool fixedIsCommitted = false;
    bool isCommitted = false;

    ~CRaycastScene() {
        for (Moving &mesh : moving) {
            rtcReleaseGeometry(mesh.instance);
            rtcReleaseScene(mesh.meshScene);
        }
        if (fixedInstance) rtcReleaseGeometry(fixedInstance);
        if (fixed) rtcReleaseScene(fixed);
        if (top) rtcReleaseScene(top);
        if (device) rtcReleaseDevice(device);
    }

    /// The first error since the last call.
    CRaycastStatus status() const { return statusOf(rtcGetDeviceError(device)); }

    RTCScene makeScene(RTCBuildQuality quality) {
        RTCScene scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
        rtcSetSceneBuildQuality(scene, quality);
        return scene;
    }

    RTCGeometry makeInstance(RTCScene of, unsigned number) {
        RTCGeometry instance = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
        rtcSetGeometryInstancedScene(instance, of);
        rtcAttachGeometryByID(top, instance, number);
        return instance;
    }

    /// Embree's number of a copy of the mesh in that scene.
    unsigned attach(const CRaycastMesh &mesh, RTCScene scene) {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        void *vertices = rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.vertex_count);
        void *indices = rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), mesh.triangle_count);
        if (vertices) std::memcpy(vertices, mesh.positions, 3 * sizeof(float) * mesh.vertex_count);
        if (indices) std::memcpy(indices, mesh.triangles, 3 * sizeof(uint32_t) * mesh.triangle_count);
        rtcCommitGeometry(geometry);
        unsigned number = rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        return number;
    }
};

namespace {

/// Sixteen rays and which of them are to be traced.
struct Packet {
    alignas(64) RTCRayHit16 rays;
    alignas(64) int valid[packetSize];

    /// Takes the rays from `first` on; what the batch lacks to fill the packet is masked out.
    void load(const CRaycastRays &batch, size_t first, size_t count) {
        for (size_t lane = 0; lane < packetSize; ++lane) {
            const size_t index = first + std::min(lane, count - 1);
            const float far = batch.far ? batch.far[index] : std::numeric_limits<float>::infinity();
            rays.ray.org_x[lane] = batch.origin_x[index];
            rays.ray.org_y[lane] = batch.origin_y[index];
            rays.ray.org_z[lane] = batch.origin_z[index];
            rays.ray.dir_x[lane] = batch.direction_x[index];
            rays.ray.dir_y[lane] = batch.direction_y[index];
            rays.ray.dir_z[lane] = batch.direction_z[index];
            rays.ray.tnear[lane] = batch.near;
            rays.ray.tfar[lane] = far;
            rays.ray.time[lane] = 0;
            rays.ray.mask[lane] = ~0u;
            rays.ray.id[lane] = 0;
            rays.ray.flags[lane] = 0;
            rays.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
            rays.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
            valid[lane] = lane < count && far >= batch.near ? -1 : 0;
        }
    }
};

void storeMiss(const CRaycastHits &hits, size_t index) {
    hits.object[index] = CRAYCAST_NOTHING;
    if (hits.primitive) hits.primitive[index] = 0;
    if (hits.u) hits.u[index] = 0;
    if (hits.v) hits.v[index] = 0;
    if (hits.depth) hits.depth[index] = std::numeric_limits<float>::infinity();
    if (hits.normal_x) hits.normal_x[index] = 0;
    if (hits.normal_y) hits.normal_y[index] = 0;
    if (hits.normal_z) hits.normal_z[index] = 0;
}

void storeHit(const CRaycastScene &scene, const Packet &packet, size_t lane, const CRaycastHits &hits, size_t index) {
    const RTCHit16 &hit = packet.rays.hit;
    const unsigned instance = hit.instID[0][lane];
    const Moving *moving = instance == staticInstance ? nullptr : &scene.moving[instance - 1];
    hits.object[index] = moving ? moving->object : scene.fixedObjects[hit.geomID[lane]];
    if (hits.primitive) hits.primitive[index] = hit.primID[lane];
    if (hits.u) hits.u[index] = hit.u[lane];
    if (hits.v) hits.v[index] = hit.v[lane];
    if (hits.depth) hits.depth[index] = packet.rays.ray.tfar[lane];
    if (!hits.normal_x && !hits.normal_y && !hits.normal_z) return;

    const float x = hit.Ng_x[lane], y = hit.Ng_y[lane], z = hit.Ng_z[lane];
    const float scale = 1 / std::sqrt(x * x + y * y + z * z);
    float normal[3] = {x * scale, y * scale, z * scale};
    if (moving) {
        const float *r = moving->rotation;
        const float turned[3] = {
            r[0] * normal[0] + r[3] * normal[1] + r[6] * normal[2],
            r[1] * normal[0] + r[4] * normal[1] + r[7] * normal[2],
            r[2] * normal[0] + r[5] * normal[1] + r[8] * normal[2]};
        std::copy(turned, turned + 3, normal);
    }
    if (hits.normal_x) hits.normal_x[index] = normal[0];
    if (hits.normal_y) hits.normal_y[index] = normal[1];
    if (hits.normal_z) hits.normal_z[index] = normal[2];
}

}  // namespace

CRaycastStatus craycast_create(CRaycastScene **result) {
    if (!result) return CRAYCAST_INVALID_ARGUMENT;
    *result = nullptr;
    CRaycastScene *scene = new (std::nothrow) CRaycastScene;
    if (!scene) return CRAYCAST_OUT_OF_MEMORY;
    scene->device = rtcNewDevice("threads=1,set_affinity=0,max_isa=avx2");
    if (!scene->device) {
        delete scene;
        return CRAYCAST_BACKEND_FAILED;
    }
    scene->top = scene->makeScene(RTC_BUILD_QUALITY_MEDIUM);
    scene->fixed = scene->makeScene(RTC_BUILD_QUALITY_HIGH);
    scene->fixedInstance = scene->makeInstance(scene->fixed, staticInstance);
    const CRaycastStatus status = scene->status();
    if (status == CRAYCAST_OK) *result = scene; else delete scene;
    return status;
}

void craycast_destroy(CRaycastScene *scene) { delete scene; }

CRaycastStatus craycast_add_static(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object) {
    if (!scene || !object || !isValid(mesh)) return CRAYCAST_INVALID_ARGUMENT;
    try {
        const unsigned number = scene->attach(*mesh, scene->fixed);
        const CRaycastStatus status = scene->status();
        if (status != CRAYCAST_OK) return status;
        scene->fixedObjects.resize(std::max<size_t>(scene->fixedObjects.size(), number + 1), CRAYCAST_NOTHING);
        *object = scene->fixedObjects[number] = scene->objectCount++;
        scene->fixedIsCommitted = scene->isCommitted = false;
        return CRAYCAST_OK;
    } catch (const std::bad_alloc &) {
        return CRAYCAST_OUT_OF_MEMORY;
    }
}

CRaycastStatus craycast_add_moving(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object) {
    if (!scene || !object || !isValid(mesh)) return CRAYCAST_INVALID_ARGUMENT;
    try {
        scene->moving.reserve(scene->moving.size() + 1);
    } catch (const std::bad_alloc &) {
        return CRAYCAST_OUT_OF_MEMORY;
    }
    Moving moving = {scene->objectCount, scene->makeScene(RTC_BUILD_QUALITY_HIGH), nullptr, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    scene->attach(*mesh, moving.meshScene);
    rtcCommitScene(moving.meshScene);
    moving.instance = scene->makeInstance(moving.meshScene, unsigned(scene->moving.size()) + 1);
    scene->moving.push_back(moving);
    *object = scene->objectCount++;
    scene->isCommitted = false;
    return scene->status();
}

CRaycastStatus craycast_place(CRaycastScene *scene, int32_t object, const float world_from_object[12]) {
    if (!scene || !world_from_object) return CRAYCAST_INVALID_ARGUMENT;
    auto moving = std::find_if(
        scene->moving.begin(), scene->moving.end(), [=](const Moving &mesh) { return mesh.object == object; });
    if (moving == scene->moving.end()) return CRAYCAST_INVALID_ARGUMENT;
    std::copy(world_from_object, world_from_object + 9, moving->rotation);
    rtcSetGeometryTransform(moving->instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, world_from_object);
    scene->isCommitted = false;
    return scene->status();
}

CRaycastStatus craycast_commit(CRaycastScene *scene) {
    if (!scene) return CRAYCAST_INVALID_ARGUMENT;
    if (!scene->fixedIsCommitted) {
        rtcCommitScene(scene->fixed);
        rtcCommitGeometry(scene->fixedInstance);
    }
    for (Moving &mesh : scene->moving) rtcCommitGeometry(mesh.instance);
    rtcCommitScene(scene->top);
    const CRaycastStatus status = scene->status();
    scene->fixedIsCommitted = scene->isCommitted = status == CRAYCAST_OK;
    return status;
}

CRaycastStatus craycast_intersect(
    const CRaycastScene *scene, const CRaycastRays *rays, size_t count, const CRaycastHits *hits) {
    if (!scene || !areValid(rays) || !hits || !hits->object) return CRAYCAST_INVALID_ARGUMENT;
    if (!scene->isCommitted) return CRAYCAST_NOT_COMMITTED;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    Packet packet;
    for (size_t first = 0; first < count; first += packetSize) {
        const size_t lanes = std::min(packetSize, count - first);
        packet.load(*rays, first, lanes);
        rtcIntersect16(packet.valid, scene->top, &context, &packet.rays);
        for (size_t lane = 0; lane < lanes; ++lane) {
            if (packet.rays.hit.geomID[lane] == RTC_INVALID_GEOMETRY_ID)
                storeMiss(*hits, first + lane);
            else
                storeHit(*scene, packet, lane, *hits, first + lane);
        }
    }
    return CRAYCAST_OK;
}

CRaycastStatus craycast_occluded(
    const CRaycastScene *scene, const CRaycastRays *rays, size_t count, uint8_t *occluded) {
    if (!scene || !areValid(rays) || !occluded) return CRAYCAST_INVALID_ARGUMENT;
    if (!scene->isCommitted) return CRAYCAST_NOT_COMMITTED;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    Packet packet;
    for (size_t first = 0; first < count; first += packetSize) {
        const size_t lanes = std::min(packetSize, count - first);
        packet.load(*rays, first, lanes);
        rtcOccluded16(packet.valid, scene->top, &context, &packet.rays.ray);
        // Embree marks an occluded ray by setting its end to minus infinity; a masked lane keeps its own end.
        for (size_t lane = 0; lane < lanes; ++lane)
            occluded[first + lane] = packet.valid[lane] && packet.rays.ray.tfar[lane] < 0;
    }
    return CRAYCAST_OK;
}
