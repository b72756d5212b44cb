import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import {
  getGeneralSettings,
  getNotificationSettings,
  getOwnPreferences,
  getTourSettings,
  setUpOrganization,
  updateGeneralSettings,
  updateNotificationSettings,
  updateOwnPreferences,
  updateTourSettings,
} from '@tour-ops/contract/settings/settings'
import { createTour, getTour } from '@tour-ops/contract/tours/tours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { sendNotice } from '../../platform/notices.ts'
import { coreVerbOf, publishedTour } from '../../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { settingsVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(settingsVerbs)

async function changeTourRules(caller: TestCaller, change: object): Promise<void> {
  const { version, settings } = await caller.call(verbOf(getTourSettings), {})
  await caller.call(verbOf(updateTourSettings), { version, settings: { ...settings, ...change } })
}

test('general settings are read back as they were saved', async () => {
  const caller = await world.as('operations_manager')
  const { version, settings } = await caller.call(verbOf(getGeneralSettings), {})
  const wanted = {
    ...settings,
    timeZone: 'Atlantic/Reykjavik',
    locale: 'de' as const,
    currency: 'ISK',
    weekStart: 0,
    timeFormat: '12h' as const,
    units: 'imperial' as const,
    phone: '+354 555 0100',
    emergencyNumber: '+977 102',
    billing: {
      legalName: 'Aurora Ferðir ehf.',
      address: 'Laugavegur 1\n101 Reykjavík',
      taxNumber: 'IS 123456',
      invoiceNote: 'IBAN IS14 0159 2600 7654 5510 7303 39',
      taxScheme: 'included' as const,
      taxName: 'VSK',
      taxPercent: 8.1,
      feeTax: 'exempt' as const,
    },
    workingHours: { from: '07:30', to: '19:00' },
    map: { lat: 64.1, lng: -21.9, zoom: 6 },
    retention: { positionsDays: 30, sensitiveDays: 14 },
  }
  const saved = await caller.call(verbOf(updateGeneralSettings), { version, settings: wanted })
  expect(saved).toMatchObject({ version: version + 1, settings: wanted })
  expect(await caller.call(verbOf(getGeneralSettings), {})).toEqual(saved)
})

test('saving over a newer version is refused, and nothing changes', async () => {
  const caller = await world.as('admin')
  const { version, settings } = await caller.call(verbOf(getTourSettings), {})
  await caller.call(verbOf(updateTourSettings), { version, settings: { ...settings, runningLateMin: 12 } })
  await expect(
    caller.call(verbOf(updateTourSettings), { version, settings: { ...settings, runningLateMin: 20 } }),
  ).rejects.toMatchObject({ code: 'aborted', details: { reason: 'version_conflict', current: version + 1 } })
  expect((await caller.call(verbOf(getTourSettings), {})).settings).toEqual({ ...settings, runningLateMin: 12 })
})

test('a dispatcher reads the settings but does not change them; guides and viewers do not read them', async () => {
  const dispatcher = await world.as('dispatcher')
  const { version, settings } = await dispatcher.call(verbOf(getTourSettings), {})
  await expect(dispatcher.call(verbOf(updateTourSettings), { version, settings })).rejects.toMatchObject({
    code: 'permission-denied',
  })
  for (const role of ['guide', 'viewer'] as const) {
    const person = await world.as(role, { orgId: dispatcher.orgId })
    await expect(person.call(verbOf(getGeneralSettings), {})).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(person.call(verbOf(getNotificationSettings), {})).rejects.toMatchObject({ code: 'permission-denied' })
  }
})

test('impossible rules are refused by field', async () => {
  const caller = await world.as('admin')
  await expect(changeTourRules(caller, { runningLateMin: 50, atRiskMin: 45 })).rejects.toMatchObject({
    details: { fieldErrors: { 'settings.atRiskMin': ['Critical cannot come before late.'] } },
  })
  await expect(changeTourRules(caller, { codePattern: '{TOUR}' })).rejects.toMatchObject({
    details: { fieldErrors: { 'settings.codePattern': [expect.any(String)] } },
  })
})

test('a new tour takes what it does not say from the settings', async () => {
  const caller = await world.as('operations_manager')
  await changeTourRules(caller, { defaultCapacity: 31, cutoffMinutes: 45, overbookLimit: 2 })
  const fields = { code: 'GOLD', name: 'Golden Circle', kind: 'day' as const, timeZone: 'UTC', durationMin: 60 }
  const { id } = await caller.call(coreVerbOf(createTour), fields)
  expect(await caller.call(coreVerbOf(getTour), { id })).toMatchObject({
    defaultCapacity: 31,
    cutoffMinutes: 45,
    overbookLimit: 2,
  })
  const own = { ...fields, code: 'SOUTH', defaultCapacity: 8, cutoffMinutes: 0, overbookLimit: 0 }
  const second = await caller.call(coreVerbOf(createTour), own)
  expect(await caller.call(coreVerbOf(getTour), { id: second.id })).toMatchObject({
    defaultCapacity: 8,
    cutoffMinutes: 0,
  })
})

test('new departures follow the code pattern and the day of decision', async () => {
  const caller = await world.as('operations_manager', { clock: movableClock(new Date('2030-07-01T08:00:00Z')) })
  await changeTourRules(caller, { codePattern: '{YYMMDD}-{HHMM}-{TOUR}', decideByDays: 5 })
  const { tourId } = await publishedTour(caller, { code: 'GOLD' })
  const { id } = await caller.call(coreVerbOf(createDeparture), {
    tourId,
    localDate: '2030-07-14',
    startTimeLocal: '09:00',
  })
  expect(await caller.call(coreVerbOf(getDeparture), { id })).toMatchObject({
    code: '300714-0900-GOLD',
    decideBy: '2030-07-09T09:00:00.000Z',
  })
})

test('sender, address for answers and quiet hours are read back as they were saved', async () => {
  const caller = await world.as('admin')
  const { version, settings } = await caller.call(verbOf(getNotificationSettings), {})
  expect(settings).toEqual({
    senderName: null,
    replyTo: null,
    quietFrom: '21:00',
    quietTo: '08:00',
    digestAt: '18:00',
    crewReminderAt: '18:00',
    poorestStars: 2,
  })
  const wanted = {
    senderName: 'Aurora & Atlas',
    replyTo: 'office@aurora.example',
    quietFrom: '22:30',
    quietTo: '07:00',
    digestAt: '16:30',
    crewReminderAt: 'off',
    poorestStars: 3,
  }
  await caller.call(verbOf(updateNotificationSettings), { version, settings: wanted })
  expect((await caller.call(verbOf(getNotificationSettings), {})).settings).toEqual(wanted)
})

test('every role has its own preferences, and notices follow them', async () => {
  const admin = await world.as('admin')
  const viewer = await world.as('viewer', { orgId: admin.orgId })
  expect(await viewer.call(verbOf(getOwnPreferences), {})).toEqual({ settings: { events: {}, language: null } })
  const notice = {
    event: 'import_finished',
    link: '/travelers/list',
    text: (locale: string) => ({ title: `in ${locale}`, body: '' }),
  } as const
  const tell = () =>
    viewer.transaction((tx) => sendNotice({ ...world.services, tx, orgId: viewer.orgId }, viewer.userId, notice))
  const told = async () => {
    const { rows } = await viewer.transaction((tx) =>
      sql<{ kind: string; text: string }>`
        select 'inbox' as kind, data ->> 'title' as text from documents where path like ${`users/${viewer.userId}/inbox/%`}
        union all select 'email', subject from deliveries where org_id = ${viewer.orgId} and user_id = ${viewer.userId}`.execute(
        tx,
      ),
    )
    return rows.map(({ kind, text }) => `${kind} ${text}`).toSorted()
  }
  await tell()
  expect(await told()).toEqual(['inbox in en'])
  await viewer.call(verbOf(updateOwnPreferences), {
    settings: { events: { import_finished: ['email'] }, language: 'es' },
  })
  await tell()
  expect(await told()).toEqual(['email in es', 'inbox in en'])
  await viewer.call(verbOf(updateOwnPreferences), { settings: { events: { import_finished: [] }, language: null } })
  await tell()
  expect(await told()).toHaveLength(2)
  expect(await admin.call(verbOf(getOwnPreferences), {})).toEqual({ settings: { events: {}, language: null } })
})

test('a new organization answers once where it works; its base is a place and where the map opens', async () => {
  const admin = await world.as('admin')
  const answers = {
    timeZone: 'Europe/Lisbon',
    currency: 'EUR',
    base: { name: 'Sintra', lat: 38.8029, lng: -9.3816 },
  }
  const { basePlaceId } = await admin.call(verbOf(setUpOrganization), answers)
  const { settings } = await admin.call(verbOf(getGeneralSettings), {})
  expect(settings).toMatchObject({ timeZone: 'Europe/Lisbon', currency: 'EUR', map: { lat: 38.8029, lng: -9.3816 } })
  const places = await admin.transaction((tx) =>
    sql<object>`select id, name, time_zone from places where org_id = ${admin.orgId}`.execute(tx),
  )
  expect(places.rows).toEqual([{ id: basePlaceId, name: 'Sintra', time_zone: 'Europe/Lisbon' }])
  await expect(admin.call(verbOf(setUpOrganization), answers)).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'already_set_up' },
  })
  const dispatcher = await world.as('dispatcher')
  await expect(dispatcher.call(verbOf(setUpOrganization), answers)).rejects.toMatchObject({ code: 'permission-denied' })
})
