import { type RawBuilder, sql } from 'kysely'
import type { AlertRules } from '../../platform/operations/alert-limits.ts'
import { timedEntryGraceSeconds } from '../../platform/operations/departure-rows.ts'
import { isRunning } from '../../platform/operations/departure-phase.ts'
import { positionsOnDuty } from '../../platform/operations/positions-on-duty.ts'
import { quietUntil } from '../../platform/operations/signal-gap.ts'

// What phones and stop times say of departures `d` on the way. Each begins with the few that are out, and looks at one row for each person
// and vehicle on duty: never at all positions. See docs/domain.md, "Alerts".

/** A stop with a time of entry that they can no longer reach in time: its booking is lost, whatever the rest of the day does. */
const etaMiss: RawBuilder<unknown> = sql`
  select 'eta_miss', 'warning', 'stop', s.id::text, d.id, concat(s.delay_seconds / 60, ' min late for ', p.name),
    jsonb_build_object('stopName', p.name, 'plannedAt', s.planned_arrive_at, 'delayMin', s.delay_seconds / 60, 'limitMin', ${timedEntryGraceSeconds / 60}::int)
  from d join departure_stops s on s.org_id = d.org_id and s.departure_id = d.id
    join places p on p.org_id = s.org_id and p.id = s.place_id
  where d.status = 'in_progress' and s.timed_entry and s.status in ('planned', 'approaching') and s.delay_seconds > ${timedEntryGraceSeconds}::int`

/** Who is on duty for departure `d`, with their last signal. */
const heard = positionsOnDuty(sql`u.org_id = d.org_id and u.departure_id = d.id`)

/** The last signal of anybody on departure `d`, and since when they count as silent. */
export const silence = ({ signalLostMin, signalLostDaysMin }: AlertRules): RawBuilder<unknown> => sql`(
  select last.at, quiet.minutes, greatest(last.at, ${quietUntil}) + make_interval(mins => quiet.minutes) as lost_at
  from (select case when t.kind = 'multi_day' then ${signalLostDaysMin}::int else ${signalLostMin}::int end as minutes) quiet
    cross join (select max(n.recorded_at) as at from ${heard}) last
  where d.status = 'in_progress' and last.at is not null)`

/** Not a phone that fell silent while another one of the departure reports: the office still sees where they are. */
const signalLost = (rules: AlertRules): RawBuilder<unknown> => sql`
  select 'signal_lost', 'warning', 'departure', d.id::text, d.id, 'No signal from the crew',
    jsonb_build_object('lastSeenAt', silence.at, 'limitMin', silence.minutes)
  from d join tours t on t.org_id = d.org_id and t.id = d.tour_id cross join lateral ${silence(rules)} silence
  where silence.lost_at <= app_now()`

const batteryLow = ({ batteryPct }: AlertRules): RawBuilder<unknown> => sql`
  select 'battery_low', 'info', case when low.staff_name is null then 'vehicle' else 'staff' end, low.subject_id::text, d.id,
    concat('Battery of ', coalesce(low.staff_name, low.vehicle), ' is at ', low.battery_pct, ' %'),
    jsonb_build_object('staffName', low.staff_name, 'vehicle', low.vehicle, 'batteryPct', low.battery_pct, 'limitPct', ${batteryPct}::int)
  from d cross join lateral (
    select heard.subject_id, heard.battery_pct, v.label as vehicle, case when f.id is not null then concat_ws(' ', f.first_name, f.last_name) end as staff_name
    from (select n.subject_id, n.battery_pct, n.staff_id, n.vehicle_id from ${heard}) heard
      left join field_staff f on f.org_id = d.org_id and f.id = heard.staff_id
      left join vehicles v on v.org_id = d.org_id and v.id = heard.vehicle_id
    where heard.battery_pct <= ${batteryPct}::int
  ) low
  where ${isRunning}`

export const onTourKinds = ['eta_miss', 'signal_lost', 'battery_low'] as const

/** One part of a union for each kind, over departures `d`. */
export const onTourSignals = (rules: AlertRules): readonly RawBuilder<unknown>[] => [
  etaMiss,
  signalLost(rules),
  batteryLow(rules),
]
