import type { UnitType } from '@tour-ops/contract/units'
import { newId } from '../../platform/ids.ts'
import type { PersonPlan } from './plan-person.ts'
import type { EntryFacts, Pickup } from './plan-store.ts'
import type { Change, EntityPlan, StagedRow } from './plan-types.ts'

/** One guest of the party, found or to be made. */
export interface Guest {
  readonly row: StagedRow
  readonly entry: EntryFacts | undefined
  readonly unitType: UnitType
  readonly travelerId: string
  readonly person: PersonPlan
}

/** The plan of somebody whom an earlier line makes: the same row, so that both lines write one person. */
export function samePerson(fresh: PersonPlan, id: string): PersonPlan {
  return {
    changes: [],
    ...(fresh.traveler && { traveler: { ...fresh.traveler, id } }),
    ...(fresh.private && { private: { ...fresh.private, id } }),
    ...(fresh.passport && {
      passport: { ...fresh.passport, set: { ...fresh.passport.set, traveler_id: id } },
    }),
  }
}

export function planEntry(
  { entry, unitType, travelerId }: Guest,
  seat: { departureId: string; bookingId: string; pickup: Pickup | null | undefined },
): { plan?: EntityPlan; changes: Change[] } {
  const stopId = seat.pickup?.stopId ?? null
  if (!entry) {
    const set = {
      departure_id: seat.departureId,
      booking_id: seat.bookingId,
      traveler_id: travelerId,
      unit_type: unitType,
      pickup_stop_id: stopId,
    }
    return { plan: { id: newId(), isNew: true, version: 0, set, was: {} }, changes: [] }
  }
  const set: Record<string, unknown> = {}
  const was: Record<string, unknown> = {}
  const changes: Change[] = []
  if (unitType !== entry.unitType) {
    set['unit_type'] = unitType
    was['unit_type'] = entry.unitType
    changes.push({ field: 'unit_type', before: entry.unitType, after: unitType })
  }
  if (seat.pickup !== undefined && stopId !== entry.pickupStopId) {
    set['pickup_stop_id'] = stopId
    was['pickup_stop_id'] = entry.pickupStopId
  }
  if (Object.keys(set).length === 0) return { changes }
  const plan = {
    id: entry.entryId,
    isNew: false,
    version: entry.entryVersion,
    set,
    was: { ...was, import_batch_id: entry.entryImportBatchId },
  }
  return { plan, changes }
}
