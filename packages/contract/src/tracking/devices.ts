import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant, Named, orNull, Saved, text, Version, whole, write } from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'

export const deviceKinds = ['phone', 'tracker', 'vehicle_unit'] as const
/** The protocol of a device: see `apps/server/src/features/tracking/parsers`. */
export const trackingProtocols = ['osmand', 'owntracks', 'duty_page'] as const
export type TrackingProtocol = (typeof trackingProtocols)[number]

/** A pairing code works this long, minutes. */
export const pairingMinutes = 15
/** Letters and digits of a pairing code that cannot be confused. Source: Crockford's base 32. */
export const pairingAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const pairingCodeLength = 10

const misread: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }

/** A code as it was typed: in any case, with blanks and hyphens, and with letters that look like digits. */
export const PairingCode = z.string().check(
  z.maxLength(40),
  z.overwrite((typed) =>
    typed
      .toUpperCase()
      .replaceAll(/[\s-]/g, '')
      .replaceAll(/[OIL]/g, (letter) => misread[letter] ?? letter),
  ),
  z.regex(new RegExp(`^[${pairingAlphabet}]{${pairingCodeLength}}$`), 'pairing_code_form'),
)

/** The address to which a device sends, below the server's. Anyone who knows the token can send as the device. */
export const trackPath = (token: string): string => `/track/${token}`

export const Device = z.object({
  id: Id,
  version: Version,
  kind: z.enum(deviceKinds),
  label: z.string(),
  /** Whose position it reports. */
  staff: z.nullable(Named),
  vehicle: z.nullable(Named),
  /** `waiting` has a code that no phone has used yet. */
  pairing: z.enum(['none', 'waiting', 'paired']),
  /** Of the token. */
  expiresAt: z.nullable(Instant),
  reportIntervalS: Count,
  lastSeenAt: z.nullable(Instant),
  protocol: z.nullable(z.enum(trackingProtocols)),
  batteryPct: z.nullable(Count),
  /** The device's clock less ours, seconds; null while unknown. */
  clockSkewS: z.nullable(z.int()),
  /** Fixes of the last seven days that were not stored: sent outside of duty, without consent, during a break, or broken. */
  droppedOfWeek: Count,
})
export type Device = z.output<typeof Device>

export const listDevices = callable({
  name: 'devices-list',
  kind: 'read',
  permission: 'tracking:read',
  summary: 'Phones and trackers that report positions; guides see their own.',
  input: listInput({ staffId: anyOf(Id), vehicleId: anyOf(Id) }, ['label']),
  output: listOutput(Device),
  topics: ['devices', 'field_staff', 'vehicles'],
})

const interval = z._default(whole(1, 3600), 15)

export const addDevice = callable({
  name: 'devices-add',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Adds a phone or tracker of a staff member or a vehicle; it is paired afterwards.',
  input: write({
    label: text(80),
    kind: z._default(z.enum(deviceKinds), 'phone'),
    /** One of the two. */
    staffId: orNull(Id),
    vehicleId: orNull(Id),
    reportIntervalS: interval,
  }),
  output: Saved,
  writes: ['devices'],
})

export const updateDevice = callable({
  name: 'devices-update',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Sets the name and the reporting interval of a device.',
  input: write({ id: Id, version: Version, label: text(80), reportIntervalS: interval }),
  output: Saved,
  writes: ['devices'],
})

export const pairDevice = callable({
  name: 'devices-pair',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Creates a code that pairs one phone, once; the present token works until then.',
  input: write({ id: Id }),
  output: z.object({ id: Id, version: Version, code: z.string(), expiresAt: Instant }),
  repeated: 'same-answer-briefly',
  writes: ['devices'],
})

export const revokeDevice = callable({
  name: 'devices-revoke',
  kind: 'write',
  permission: 'departures:dispatch',
  summary: 'Revokes a device: nothing that it sends is accepted from then on.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['devices'],
})

export const redeemPairing = callable({
  name: 'devices-redeem',
  kind: 'write',
  permission: 'public',
  summary: 'Exchanges a pairing code for the token of a device, once. The earlier token stops working.',
  input: write({ code: PairingCode }),
  output: z.object({
    token: z.string(),
    /** Address to enter in an app. */
    url: z.string(),
    deviceLabel: z.string(),
    /** Whose position will be reported. */
    subjectName: z.string(),
    organizationName: z.string(),
    reportIntervalS: Count,
  }),
  repeated: 'same-answer-briefly',
  writes: ['devices'],
})

export const registerDutyPhone = callable({
  name: 'duty-phone',
  kind: 'write',
  permission: 'member',
  summary:
    'The token with which the duty page of this phone sends the positions of its person. One phone per person: an earlier one is revoked.',
  input: write({ label: text(80) }),
  output: z.object({
    /** The device's, for `trackPath`. */
    token: z.string(),
    reportIntervalS: Count,
  }),
  repeated: 'same-answer-briefly',
  writes: ['devices'],
})
