import { randomInt } from 'node:crypto'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import {
  addDevice,
  type Device,
  listDevices,
  pairDevice,
  pairingAlphabet,
  pairingCodeLength,
  pairingMinutes,
  redeemPairing,
  registerDutyPhone,
  revokeDevice,
  trackPath,
  updateDevice,
} from '@tour-ops/contract/tracking/devices'
import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { allOf, iso, isoOrNull, isOneOfIds, orderBy } from '../../platform/list-query.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { hashOfToken, newToken } from '../../platform/operations/address-token.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { reachingAsOffice } from '../../platform/own-scope.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'

/** A token that nobody revokes ends by itself; pairing again renews it. */
const tokenDays = 400

interface DeviceRecord extends Omit<Device, 'expiresAt' | 'lastSeenAt'> {
  readonly expiresAt: Date | null
  readonly lastSeenAt: Date | null
}

const list = verb(listDevices, async (call, { q, filters = {}, sort, ...page }) => {
  const label = sql`d.label collate "und-x-icu"`
  const where = allOf([
    sql`d.org_id = ${call.orgId} and d.archived_at is null`,
    isOneOfIds(sql`d.staff_id`, filters.staffId),
    isOneOfIds(sql`d.vehicle_id`, filters.vehicleId),
    q !== '' && sql`searchable(d.label) like '%' || searchable(${q}) || '%'`,
  ])
  const { rows, total } = await selectPage<DeviceRecord>(call.tx, {
    columns: sql`d.id, d.version, d.kind, d.label,
      case when s.id is not null then jsonb_build_object('id', s.id, 'name', trim(s.first_name || ' ' || s.last_name)) end as staff,
      case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.label) end as vehicle,
      case when d.token_expires_at > app_now() then 'paired' when d.pairing_expires_at > app_now() then 'waiting' else 'none' end as pairing,
      d.token_expires_at as "expiresAt", d.report_interval_s as "reportIntervalS", g.last_seen_at as "lastSeenAt", g.protocol,
      g.battery_pct as "batteryPct", g.clock_skew_s as "clockSkewS",
      (select coalesce(sum(p.dropped), 0)::int from position_drops p
        where p.org_id = d.org_id and p.device_id = d.id and p.day > (app_now() at time zone 'UTC')::date - 7) as "droppedOfWeek"`,
    from: sql`from devices d
      left join field_staff s on s.org_id = d.org_id and s.id = d.staff_id
      left join vehicles v on v.org_id = d.org_id and v.id = d.vehicle_id
      left join device_signals g on g.org_id = d.org_id and g.device_id = d.id
      where ${where}`,
    order: orderBy(sort, { label }, sql`${label}, d.id`),
    page,
  })
  return {
    rows: rows.map((row) => ({ ...row, expiresAt: isoOrNull(row.expiresAt), lastSeenAt: isoOrNull(row.lastSeenAt) })),
    total,
  }
})

const add = verb(addDevice, async (call, { label, kind, staffId, vehicleId, reportIntervalS }) => {
  if ((staffId === null) === (vehicleId === null)) throw fieldError('staffId', 'one_of_two')
  const { rows } = await sql`select from ${staffId ? sql`field_staff` : sql`vehicles`}
    where org_id = ${call.orgId} and id = ${staffId ?? vehicleId} and archived_at is null`.execute(call.tx)
  if (rows.length === 0) throw notFound(staffId ? 'field_staff' : 'vehicle')
  const id = newId()
  await sql`insert into devices (org_id, id, kind, label, staff_id, vehicle_id, report_interval_s)
    values (${call.orgId}, ${id}, ${kind}, ${label}, ${staffId}, ${vehicleId}, ${reportIntervalS})`.execute(call.tx)
  return { id, version: 1 }
})

const update = verb(updateDevice, (call, { id, version, label, reportIntervalS }) =>
  updateVersioned(
    call.tx,
    'devices',
    { orgId: call.orgId, id, version },
    sql`label = ${label}, report_interval_s = ${reportIntervalS}`,
  ),
)

/** 50 bits that live for a quarter of an hour. */
const newCode = (): string =>
  Array.from({ length: pairingCodeLength }, () => pairingAlphabet[randomInt(pairingAlphabet.length)]).join('')

const pair = verb(pairDevice, async (call, { id }) => {
  const code = newCode()
  const expiresAt = addMinutes(call.clock.now(), pairingMinutes)
  const { rows } = await sql<{ version: number }>`
    update devices set pairing_hash = ${hashOfToken(code)}, pairing_expires_at = ${expiresAt}
     where org_id = ${call.orgId} and id = ${id} and archived_at is null returning version`.execute(call.tx)
  if (!rows[0]) throw notFound('device')
  return { id, version: rows[0].version, code, expiresAt: iso(expiresAt) }
})

const revoke = verb(revokeDevice, (call, { id, version }) =>
  updateVersioned(
    call.tx,
    'devices',
    { orgId: call.orgId, id, version },
    sql`archived_at = coalesce(archived_at, app_now()), token_hash = null, token_expires_at = null, pairing_hash = null, pairing_expires_at = null`,
  ),
)

interface Paired {
  readonly label: string
  readonly reportIntervalS: number
  readonly subjectName: string
  readonly organizationName: string
}

/** Finds the device behind a code and continues inside its organization. Two phones with one code: the first has it. */
const redeem = verb(redeemPairing, async (call, { code }) => {
  const hash = hashOfToken(code)
  const { rows: found } = await sql<{ orgId: string; id: string }>`
    select org_id as "orgId", id from device_of_pairing(${hash})`.execute(call.tx)
  if (!found[0]) throw refuse('pairing_code_over')
  const { orgId, id } = found[0]
  await sql`select set_config('app.org_id', ${orgId}, true)`.execute(call.tx)
  const token = newToken()
  const expiresAt = addMinutes(call.clock.now(), tokenDays * 24 * 60)
  const { rows } = await sql<Paired>`
    update devices d set token_hash = ${hashOfToken(token)}, token_expires_at = ${expiresAt}, pairing_hash = null, pairing_expires_at = null
    where d.org_id = ${orgId} and d.id = ${id} and d.pairing_hash = ${hash} and d.archived_at is null
    returning d.label, d.report_interval_s as "reportIntervalS", coalesce(
      (select trim(s.first_name || ' ' || s.last_name) from field_staff s where s.org_id = d.org_id and s.id = d.staff_id),
      (select v.label from vehicles v where v.org_id = d.org_id and v.id = d.vehicle_id), d.label) as "subjectName",
      (select o.name from organizations o where o.org_id = d.org_id) as "organizationName"`.execute(call.tx)
  if (!rows[0]) throw refuse('pairing_code_over')
  const { label, ...paired } = rows[0]
  return { ...paired, deviceLabel: label, token, url: new URL(trackPath(token), call.config.publicUrl).href }
})

/** The phone that somebody works with now: its token is made again, so that the phone of before says nothing more. */
const register = verb(registerDutyPhone, async (call, { label }) => {
  const { staffId } = call
  if (staffId === null) throw refuse('no_staff_record')
  const token = newToken()
  const expiresAt = addMinutes(call.clock.now(), tokenDays * 24 * 60)
  return reachingAsOffice(call, async ({ tx, orgId }) => {
    const { rows } = await sql<{ reportIntervalS: number }>`
      insert into devices (org_id, id, kind, label, staff_id, is_duty_page, token_hash, token_expires_at)
      values (${orgId}, ${newId()}, 'phone', ${label}, ${staffId}, true, ${hashOfToken(token)}, ${expiresAt})
      on conflict (org_id, staff_id) where is_duty_page and archived_at is null
      do update set label = excluded.label, token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at
      returning report_interval_s as "reportIntervalS"`.execute(tx)
    return { token, reportIntervalS: rows[0]?.reportIntervalS ?? 15 }
  })
})

export const deviceVerbs: Verb[] = [list, add, update, pair, revoke, redeem, register]
