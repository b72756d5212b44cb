import {
  booleanOf,
  fieldsOf,
  momentOfEpoch,
  momentOfText,
  numberOf,
  type Parsed,
  parsedOf,
  type RawFix,
} from '../fix.ts'

// Batches of our own duty page: the shape is `DutyFixes` of the contract.

/** Whether a JSON body is a batch. */
export const isDutyBatch = (body: unknown): boolean => Array.isArray(fieldsOf(body)['fixes'])

/** How many fixes a batch holds. */
export const sizeOfBatch = (body: unknown): number => {
  const { fixes } = fieldsOf(body)
  return Array.isArray(fixes) ? fixes.length : 0
}

export function parseDutyBatch(body: unknown): Parsed {
  const { fixes, sentAt } = fieldsOf(body)
  const raws = Array.isArray(fixes) ? fixes.map((fix: unknown) => rawFixOf(fieldsOf(fix))) : []
  return parsedOf(raws, momentOfText(sentAt))
}

const rawFixOf = (fix: Readonly<Record<string, unknown>>): RawFix => ({
  recordedAt: momentOfText(fix['recordedAt']) ?? momentOfEpoch(fix['recordedAt']),
  lat: fix['lat'],
  lng: fix['lng'],
  accuracyM: numberOf(fix['accuracyM']),
  speedMps: numberOf(fix['speedMps']),
  headingDeg: numberOf(fix['headingDeg']),
  altitudeM: numberOf(fix['altitudeM']),
  batteryPct: numberOf(fix['batteryPct']),
  isMoving: booleanOf(fix['isMoving']),
})
