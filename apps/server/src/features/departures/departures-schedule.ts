import type { Given } from '@tour-ops/contract/callable'
import { createDeparture, previewSchedule, scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { AppError } from '@tour-ops/contract/errors'
import { fieldIssue, fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import {
  insertDepartures,
  type NewDeparture,
  planDepartures,
  publishedTourOf,
  type TourOfDepartures,
  tourOfDepartures,
} from '../../platform/operations/new-departures.ts'
import { verb } from '../../platform/verb.ts'
import { occurrences } from './schedule.ts'

export const createOne = verb(createDeparture, async (call, input) => {
  const tour = await publishedTourOf(call, input.tourId)
  const [planned] = await planDepartures(call, tour, [input], true)
  if (!planned) throw new AppError('internal', 'Nothing was planned.')
  if (planned.clash === 'exists') {
    throw refuse(
      'departure_exists',
      { code: planned.code },
      { fields: { startTimeLocal: [fieldIssue('departure_exists', { code: planned.code })] } },
    )
  }
  if (planned.clash === 'no_such_time') throw fieldError('startTimeLocal', 'clocks_skip')
  const [id = ''] = await insertDepartures(call, tour, [planned], input)
  return { id, version: 1, code: planned.code }
})

const planRule = (
  call: MemberCall,
  tour: TourOfDepartures,
  rule: Given<typeof previewSchedule>,
  allowPast: boolean,
): Promise<NewDeparture[]> => planDepartures(call, tour, occurrences(rule), allowPast)

export const preview = verb(previewSchedule, async (call, rule) => {
  const tour = await tourOfDepartures(call, rule.tourId)
  const planned = await planRule(call, tour, rule, false)
  const willCreate = planned.filter((row) => row.clash === null).length
  return {
    timeZone: tour.timeZone,
    willCreate,
    skipped: planned.length - willCreate,
    rows: planned.map(({ code, localDate, startTimeLocal, plan, clash }) => ({
      code,
      localDate,
      startTimeLocal,
      startsAt: iso(plan.startsAt),
      endsAt: iso(plan.endsAt),
      clash,
    })),
  }
})

export const schedule = verb(scheduleDepartures, async (call, { includePast, ...rule }) => {
  const tour = await publishedTourOf(call, rule.tourId)
  const planned = await planRule(call, tour, rule, includePast)
  const free = planned.filter((row) => row.clash === null)
  if (free.length === 0) {
    throw refuse('nothing_to_create')
  }
  const ids = await insertDepartures(call, tour, free, { ...rule, status: 'scheduled' })
  return { created: ids.length, skipped: planned.length - ids.length, ids }
})
