import * as z from 'zod/mini'
import { permissions, roles } from './access.ts'
import { callable } from '../callable.ts'
import { Count, Id, Instant, OpaqueId, timeFormats } from '../fields.ts'
import { MapTiles } from '../settings/map-tiles.ts'

/** The auth store's user record. Source: spec, section 3. */
export const SessionUser = z.object({
  id: OpaqueId,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  fullName: z.nullable(z.string()),
  /** The primary address. */
  email: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  createdAt: z.nullable(Instant),
  lastSignInAt: z.nullable(Instant),
})
export type SessionUser = z.output<typeof SessionUser>

/** The auth store's organization record. Source: spec, section 3. */
export const SessionOrganization = z.object({
  id: OpaqueId,
  name: z.string(),
  slug: z.nullable(z.string()),
  /** From the membership. */
  role: z.enum(roles),
  imageUrl: z.nullable(z.string()),
  createdAt: Instant,
  updatedAt: Instant,
  memberCount: Count,
})
export type SessionOrganization = z.output<typeof SessionOrganization>

/** Settings that every screen needs to show times, amounts, distances and delays. */
export const SessionSettings = z.object({
  timeZone: z.string(),
  locale: z.string(),
  currency: z.string(),
  units: z.enum(['metric', 'imperial']),
  /** 0 is Sunday. */
  weekStart: z.int(),
  timeFormat: z.enum(timeFormats),
  /** What the organization calls late, minutes. */
  onTimeToleranceMin: Count,
  atRiskMin: Count,
  /** What maps are drawn on; null is the offline basemap. */
  tiles: z.nullable(MapTiles),
})
export type SessionSettings = z.output<typeof SessionSettings>

export const getSession = callable({
  name: 'session-get',
  kind: 'read',
  permission: 'signed-in',
  summary: 'Who I am: user record, active organization with role and permissions, and my own field-staff record.',
  input: z.object({}),
  output: z.object({
    user: SessionUser,
    /** Null without an active organization, when the membership is suspended or over, and when a second factor is required and missing. */
    organization: z.nullable(SessionOrganization),
    permissions: z.array(z.enum(permissions)),
    /** The field-staff record that is mine: what "own" refers to. */
    staffId: z.nullable(Id),
    settings: z.nullable(SessionSettings),
    /** From when on the organization refuses this session for want of a second factor; null when it does not. */
    secondFactorDueAt: z.nullable(Instant),
    serverTime: Instant,
  }),
  topics: ['members', 'org_settings', 'organizations'],
})
