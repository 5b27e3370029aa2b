// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CRaycast.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace {

/// A moving mesh: its own small scene, seen through an instance.
struct Moving {
    int32_t object;
    RTCScene scene;
    RTCGeometry mesh;
    size_t vertexCount;
    RTCGeometry instance;

    void release() {
        if (instance) rtcReleaseGeometry(instance);
        if (mesh) rtcReleaseGeometry(mesh);
        if (scene) rtcReleaseScene(scene);
    }
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
    RTCScene fixed = nullptr;
    /// What is in `fixed`, without the rectangles; built only where there are some.
    RTCScene fixedMeshes = nullptr;
    /// The instances of the moving meshes.
    RTCScene movers = nullptr;
    /// Our object numbers by Embree's geometry numbers in `fixed`.
    std::vector<int32_t> fixedObjects;
    size_t rectangleCount = 0;
    /// Moving meshes by Embree's geometry numbers in `movers`.
    std::vector<Moving> moving;
    int32_t objectCount = 0;
    bool fixedIsCommitted = false;
    bool isCommitted = false;

    ~CRaycastScene() {
        for (Moving &mover : moving) mover.release();
        if (fixed) rtcReleaseScene(fixed);
        if (fixedMeshes) rtcReleaseScene(fixedMeshes);
        if (movers) rtcReleaseScene(movers);
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

    /// A copy of the mesh, to be released.
    RTCGeometry makeGeometry(const CRaycastMesh &mesh) {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        void *indices = rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), mesh.triangle_count);
        if (indices) std::memcpy(indices, mesh.triangles, 3 * sizeof(uint32_t) * mesh.triangle_count);
        addPositions(geometry, 0, mesh.positions, mesh.vertex_count);
        rtcCommitGeometry(geometry);
        return geometry;
    }

    void addPositions(RTCGeometry geometry, unsigned step, const float *positions, size_t count) {
        void *vertices = rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_VERTEX, step, RTC_FORMAT_FLOAT3, 3 * sizeof(float), count);
        if (vertices) std::memcpy(vertices, positions, 3 * sizeof(float) * count);
    }

    Moving *find(int32_t object) {
        auto mover = std::find_if(
            moving.begin(), moving.end(), [=](const Moving &mover) { return mover.object == object; });
        return mover == moving.end() ? nullptr : &*mover;
    }
};

namespace {

/// Takes over `count` components of a batch's rays, at most as many as the packet has; what the batch lacks to fill the
/// packet is the last one again.
template <size_t size> void copy(const float *from, size_t count, float (&to)[size]) {
    if (count == size)
        std::memcpy(to, from, sizeof to);
    else
        for (size_t lane = 0; lane < size; ++lane) to[lane] = from[std::min(lane, count - 1)];
}

/// The rays of a packet, `RTCRay8` or `RTCRay16`, and which of them are to be traced.
template <class Rays> struct Packet {
    static constexpr size_t size = sizeof(Rays::org_x) / sizeof(float);
    alignas(64) int valid[size];

    static void prepare(Rays &rays) {
        std::fill_n(rays.time, size, 0.f);
        std::fill_n(rays.mask, size, ~0u);
        std::fill_n(rays.id, size, 0u);
        std::fill_n(rays.flags, size, 0u);
    }

    /// Takes the rays from `first` on; what the batch lacks to fill the packet is masked out.
    void load(const CRaycastRays &batch, size_t first, size_t count, Rays &rays) {
        copy(batch.origin_x + first, count, rays.org_x);
        copy(batch.origin_y + first, count, rays.org_y);
        copy(batch.origin_z + first, count, rays.org_z);
        copy(batch.direction_x + first, count, rays.dir_x);
        copy(batch.direction_y + first, count, rays.dir_y);
        copy(batch.direction_z + first, count, rays.dir_z);
        if (batch.time) copy(batch.time + first, count, rays.time);
        if (batch.far)
            copy(batch.far + first, count, rays.tfar);
        else
            std::fill_n(rays.tfar, size, std::numeric_limits<float>::infinity());
        std::fill_n(rays.tnear, size, batch.near);
        for (size_t lane = 0; lane < size; ++lane) valid[lane] = -int(rays.tfar[lane] >= batch.near);
        for (size_t lane = count; lane < size; ++lane) valid[lane] = 0;
    }
};

/// Sixteen rays on the way to what they meet first.
struct SightPacket : Packet<RTCRay16> {
    alignas(64) RTCRayHit16 rays;

    SightPacket() { prepare(rays.ray); }

    void load(const CRaycastRays &batch, size_t first, size_t count) {
        Packet::load(batch, first, count, rays.ray);
        std::fill_n(rays.hit.geomID, size, RTC_INVALID_GEOMETRY_ID);
        std::fill_n(rays.hit.instID[0], size, RTC_INVALID_GEOMETRY_ID);
    }
};

/// Eight rays that may meet something. They part sooner than those of neighbouring pixels, so that more in a packet, which
/// Embree would sort, are no gain.
struct ShadowPacket : Packet<RTCRay8> {
    alignas(64) RTCRay8 rays;

    ShadowPacket() { prepare(rays); }

    void load(const CRaycastRays &batch, size_t first, size_t count) { Packet::load(batch, first, count, rays); }

    /// Says which rays are occluded, and takes them out of the packet.
    ///
    /// Embree marks an occluded ray by setting its end to minus infinity; a masked lane keeps its own end.
    void takeOccluded(size_t count, uint8_t *occluded) {
        for (size_t lane = 0; lane < count; ++lane) {
            occluded[lane] = valid[lane] && rays.tfar[lane] < 0;
            if (occluded[lane]) valid[lane] = 0;
        }
    }
};

struct Context : RTCIntersectContext {
    explicit Context(RTCIntersectContextFlags kind) {
        rtcInitIntersectContext(this);
        flags = kind;
    }
};

/// The fixed ones of a subset; NULL where there are none.
RTCScene fixedOf(const CRaycastScene &scene, CRaycastSubset subset) {
    const size_t objectCount = scene.fixedObjects.size();
    switch (subset) {
    case CRAYCAST_ALL:
    case CRAYCAST_FIXED: return objectCount ? scene.fixed : nullptr;
    case CRAYCAST_MESHES:
    case CRAYCAST_FIXED_MESHES:
        if (objectCount == scene.rectangleCount) return nullptr;
        return scene.rectangleCount ? scene.fixedMeshes : scene.fixed;
    case CRAYCAST_MOVING: break;
    }
    return nullptr;
}

bool hasMoving(const CRaycastScene &scene, CRaycastSubset subset) {
    return subset != CRAYCAST_FIXED && subset != CRAYCAST_FIXED_MESHES && !scene.moving.empty();
}

void store(const CRaycastScene &scene, const SightPacket &packet, size_t lane, const CRaycastHits &hits, size_t index) {
    const RTCHit16 &hit = packet.rays.hit;
    const unsigned geometry = hit.geomID[lane], instance = hit.instID[0][lane];
    const bool isHit = geometry != RTC_INVALID_GEOMETRY_ID;
    if (!isHit)
        hits.object[index] = CRAYCAST_NOTHING;
    else if (instance == RTC_INVALID_GEOMETRY_ID)
        hits.object[index] = scene.fixedObjects[geometry];
    else
        hits.object[index] = scene.moving[instance].object;
    if (hits.primitive) hits.primitive[index] = isHit ? hit.primID[lane] : 0;
    if (hits.u) hits.u[index] = isHit ? hit.u[lane] : 0;
    if (hits.v) hits.v[index] = isHit ? hit.v[lane] : 0;
    if (hits.depth) hits.depth[index] = isHit ? packet.rays.ray.tfar[lane] : std::numeric_limits<float>::infinity();
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
    scene->fixed = scene->makeScene(RTC_BUILD_QUALITY_HIGH);
    scene->fixedMeshes = scene->makeScene(RTC_BUILD_QUALITY_HIGH);
    scene->movers = scene->makeScene(RTC_BUILD_QUALITY_MEDIUM);
    const CRaycastStatus status = scene->status();
    if (status == CRAYCAST_OK) *result = scene; else delete scene;
    return status;
}

void craycast_destroy(CRaycastScene *scene) { delete scene; }

namespace {

CRaycastStatus addFixed(CRaycastScene *scene, const CRaycastMesh *mesh, bool isRectangle, int32_t *object) {
    if (!scene || !object || !isValid(mesh)) return CRAYCAST_INVALID_ARGUMENT;
    try {
        scene->fixedObjects.reserve(scene->fixedObjects.size() + 1);
    } catch (const std::bad_alloc &) {
        return CRAYCAST_OUT_OF_MEMORY;
    }
    RTCGeometry geometry = scene->makeGeometry(*mesh);
    const unsigned number = unsigned(scene->fixedObjects.size());
    rtcAttachGeometryByID(scene->fixed, geometry, number);
    if (!isRectangle) rtcAttachGeometryByID(scene->fixedMeshes, geometry, number);
    rtcReleaseGeometry(geometry);
    const CRaycastStatus status = scene->status();
    if (status != CRAYCAST_OK) return status;
    *object = scene->objectCount++;
    scene->fixedObjects.push_back(*object);
    scene->rectangleCount += isRectangle;
    scene->fixedIsCommitted = scene->isCommitted = false;
    return CRAYCAST_OK;
}

}  // namespace

CRaycastStatus craycast_add_static(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object) {
    return addFixed(scene, mesh, false, object);
}

CRaycastStatus craycast_add_rectangle(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object) {
    return addFixed(scene, mesh, true, object);
}

CRaycastStatus craycast_add_moving(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object) {
    if (!scene || !object || !isValid(mesh)) return CRAYCAST_INVALID_ARGUMENT;
    try {
        scene->moving.reserve(scene->moving.size() + 1);
    } catch (const std::bad_alloc &) {
        return CRAYCAST_OUT_OF_MEMORY;
    }
    Moving mover = {
        scene->objectCount, scene->makeScene(RTC_BUILD_QUALITY_HIGH), scene->makeGeometry(*mesh), mesh->vertex_count,
        rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_INSTANCE)};
    rtcAttachGeometryByID(mover.scene, mover.mesh, 0);
    rtcCommitScene(mover.scene);
    rtcSetGeometryInstancedScene(mover.instance, mover.scene);
    CRaycastStatus status = scene->status();
    const unsigned number = unsigned(scene->moving.size());
    if (status == CRAYCAST_OK) {
        rtcAttachGeometryByID(scene->movers, mover.instance, number);
        status = scene->status();
        if (status != CRAYCAST_OK) rtcDetachGeometry(scene->movers, number);
    }
    if (status != CRAYCAST_OK) {
        mover.release();
        // Of what follows from the failure nothing is kept.
        scene->status();
        return status;
    }
    scene->moving.push_back(mover);
    *object = scene->objectCount++;
    scene->isCommitted = false;
    return CRAYCAST_OK;
}

CRaycastStatus craycast_place(
    CRaycastScene *scene, int32_t object, const float world_from_object[12], const float world_from_object_at_end[12]) {
    Moving *mover = scene && world_from_object ? scene->find(object) : nullptr;
    if (!mover) return CRAYCAST_INVALID_ARGUMENT;
    rtcSetGeometryTimeStepCount(mover->instance, world_from_object_at_end ? 2 : 1);
    rtcSetGeometryTransform(mover->instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, world_from_object);
    if (world_from_object_at_end)
        rtcSetGeometryTransform(mover->instance, 1, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, world_from_object_at_end);
    scene->isCommitted = false;
    return scene->status();
}

CRaycastStatus craycast_deform(
    CRaycastScene *scene, int32_t object, const float *positions, const float *positions_at_end, size_t vertex_count) {
    Moving *mover = scene && positions ? scene->find(object) : nullptr;
    if (!mover || mover->vertexCount != vertex_count) return CRAYCAST_INVALID_ARGUMENT;
    // A mesh that changes with every shot is built faster rather than better.
    rtcSetSceneBuildQuality(mover->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryTimeStepCount(mover->mesh, positions_at_end ? 2 : 1);
    scene->addPositions(mover->mesh, 0, positions, vertex_count);
    if (positions_at_end) scene->addPositions(mover->mesh, 1, positions_at_end, vertex_count);
    rtcCommitGeometry(mover->mesh);
    rtcCommitScene(mover->scene);
    scene->isCommitted = false;
    return scene->status();
}

CRaycastStatus craycast_commit(CRaycastScene *scene) {
    if (!scene) return CRAYCAST_INVALID_ARGUMENT;
    if (!scene->fixedIsCommitted) {
        rtcCommitScene(scene->fixed);
        if (scene->rectangleCount) rtcCommitScene(scene->fixedMeshes);
    }
    for (Moving &mover : scene->moving) rtcCommitGeometry(mover.instance);
    rtcCommitScene(scene->movers);
    const CRaycastStatus status = scene->status();
    scene->fixedIsCommitted = scene->isCommitted = status == CRAYCAST_OK;
    return status;
}

CRaycastStatus craycast_intersect(
    const CRaycastScene *scene, CRaycastSubset subset, const CRaycastRays *rays, size_t count,
    const CRaycastHits *hits) {
    if (!scene || !areValid(rays) || !hits || !hits->object) return CRAYCAST_INVALID_ARGUMENT;
    if (!scene->isCommitted) return CRAYCAST_NOT_COMMITTED;
    Context context(RTC_INTERSECT_CONTEXT_FLAG_COHERENT);
    SightPacket packet;
    const RTCScene fixed = fixedOf(*scene, subset);
    for (size_t first = 0; first < count; first += packet.size) {
        const size_t lanes = std::min(packet.size, count - first);
        packet.load(*rays, first, lanes);
        if (fixed) rtcIntersect16(packet.valid, fixed, &context, &packet.rays);
        // What moves replaces what is fixed where it is nearer.
        if (hasMoving(*scene, subset)) rtcIntersect16(packet.valid, scene->movers, &context, &packet.rays);
        for (size_t lane = 0; lane < lanes; ++lane) store(*scene, packet, lane, *hits, first + lane);
    }
    return CRAYCAST_OK;
}

CRaycastStatus craycast_occluded(
    const CRaycastScene *scene, CRaycastSubset subset, const CRaycastRays *rays, size_t count, uint8_t *occluded) {
    if (!scene || !areValid(rays) || !occluded) return CRAYCAST_INVALID_ARGUMENT;
    if (!scene->isCommitted) return CRAYCAST_NOT_COMMITTED;
    Context context(RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
    ShadowPacket packet;
    const RTCScene fixed = fixedOf(*scene, subset);
    for (size_t first = 0; first < count; first += packet.size) {
        const size_t lanes = std::min(packet.size, count - first);
        packet.load(*rays, first, lanes);
        if (fixed) rtcOccluded8(packet.valid, fixed, &context, &packet.rays);
        packet.takeOccluded(lanes, occluded + first);
        if (!hasMoving(*scene, subset)) continue;
        rtcOccluded8(packet.valid, scene->movers, &context, &packet.rays);
        uint8_t occludedByMoving[ShadowPacket::size];
        packet.takeOccluded(lanes, occludedByMoving);
        for (size_t lane = 0; lane < lanes; ++lane) occluded[first + lane] |= occludedByMoving[lane];
    }
    return CRAYCAST_OK;
}
