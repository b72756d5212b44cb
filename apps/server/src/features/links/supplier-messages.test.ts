import type { In } from '@tour-ops/contract/callable'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import {
  listSupplierMessages,
  previewSupplierMessage,
  writeToSupplier,
} from '@tour-ops/contract/links/supplier-messages'
import {
  createService,
  createSupplier,
  listServices,
  listSuppliers,
  setServiceStatus,
} from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const address = 'kitchen@example.com'

/** A party of two, of whom one is vegan, and a dinner that nobody has asked for yet. */
async function desk() {
  const caller = await world.as('operations_manager')
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { localDate: inDays(20) })
  await book(caller, departureId, 2, {
    guests: [{ firstName: 'Sofia', lastName: 'Marin', unitType: 'adult', dietary: ['vegan'] }],
  })
  const { id: supplierId } = await caller.call(verbOf(createSupplier), { name: 'Harbor Kitchen', kind: 'restaurant' })
  const service = await caller.call(verbOf(createService), {
    departureId,
    supplierId,
    kind: 'meal',
    description: 'Dinner, three courses',
    quantity: 2,
  })
  const state = async () => {
    const { suppliers } = await caller.call(verbOf(listSupplierMessages), { departureId })
    const [one] = suppliers
    if (!one) throw new Error('The supplier has a service')
    return one
  }
  const write = async (
    act: In<typeof writeToSupplier>['act'],
    more: { toldAt?: string | null; note?: string; email?: string; language?: 'es' } = {},
  ) =>
    caller.call(verbOf(writeToSupplier), {
      departureId,
      supplierId,
      act,
      toldAt: (await state()).told?.at ?? null,
      email: address,
      ...more,
    })
  const services = async () =>
    (await caller.call(verbOf(listServices), { filters: { departureId: [departureId] } })).rows
  const answer = async (to: 'confirmed' | 'declined' | 'cancelled', id = service.id) => {
    const version = (await services()).find((one) => one.id === id)?.version ?? 1
    await caller.call(verbOf(setServiceStatus), { id, version, to, confirmationRef: 'HK-7' })
  }
  const fate = (status: 'failed' | 'suppressed') =>
    caller.transaction((tx) =>
      sql`update deliveries set status = ${status} where org_id = ${caller.orgId} and supplier_id = ${supplierId} and status = 'queued'`.execute(
        tx,
      ),
    )
  const mail = async () => (await sentMails(world)).findLast(({ to }) => to === address)
  return { caller, departureId, supplierId, state, write, services, answer, fate, mail }
}

test('a supplier without an address gets one on the screen; what it is asked for is requested from then on, in numbers and without names', async () => {
  const { caller, departureId, supplierId, state, write, mail } = await desk()
  expect(await state()).toMatchObject({ email: null, told: null, due: 'request', guests: 2 })
  const unaddressed = { departureId, supplierId, act: 'request' as const, toldAt: null }
  await expect(caller.call(verbOf(writeToSupplier), unaddressed)).rejects.toMatchObject({
    details: { reason: 'supplier_unreachable' },
  })
  const { subject, body } = await caller.call(verbOf(previewSupplierMessage), {
    departureId,
    supplierId,
    act: 'request',
    note: 'Near the window, {link}',
  })
  expect(subject).toMatch(/^Request: Golden Circle, /)
  expect(body).toContain('Dinner, three courses × 2\n')
  expect(body).toContain('Guests: 2\nDiets and allergies: 1 × vegan\n')
  expect(body).toContain('Near the window, link\n')
  expect(`${subject} ${body}`).not.toMatch(/Sofia|Marin/)
  expect(await write('request')).toEqual({ to: address })
  const { rows } = await caller.call(verbOf(listServices), { filters: { departureId: [departureId] } })
  expect(rows).toMatchObject([{ status: 'requested' }])
  expect(await state()).toMatchObject({ email: address, told: { act: 'request', to: address, guests: 2 }, due: null })
  const token = /\/share\/(\S+)/.exec((await mail())?.body ?? '')?.[1] ?? ''
  expect(await guestOf(world, world.services.clock)(getSharedPage, { token })).toMatchObject({
    kind: 'supplier_manifest',
    supplierName: 'Harbor Kitchen',
    guests: { total: 2 },
    names: [],
  })
})

test('a change of the count after the confirmation, and the end of the departure, are prepared and not forgotten', async () => {
  const { caller, departureId, state, write, answer, mail } = await desk()
  await write('request')
  await answer('confirmed')
  expect(await state()).toMatchObject({ due: 'confirm' })
  await write('confirm')
  await mail()
  expect(await state()).toMatchObject({ due: null })
  await book(caller, departureId, 3)
  expect(await state()).toMatchObject({ due: 'update', guests: 5, told: { guests: 2 } })
  await write('update')
  expect((await mail())?.body).toContain('Guests: 5 (before: 2)')
  expect(await state()).toMatchObject({ due: null })
  await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
  expect(await state()).toMatchObject({ due: 'cancel' })
  await write('cancel')
  const over = await mail()
  expect(over?.subject).toMatch(/^Cancellation: /)
  expect(over?.body).toContain('Dinner, three courses × 2')
  expect(over?.body).not.toMatch(/Guests|share/)
  expect(await state()).toMatchObject({ due: null })
})

test('a cancellation calls off what stands, and says what', async () => {
  const { caller, departureId, state, write, mail } = await desk()
  await write('request')
  expect((await mail())?.subject).toMatch(/^Request: /)
  await write('cancel')
  expect((await mail())?.body).toContain('We no longer need:')
  const { rows } = await caller.call(verbOf(listServices), { filters: { departureId: [departureId] } })
  expect(rows).toMatchObject([{ status: 'cancelled' }])
  expect(await state()).toMatchObject({ told: { act: 'cancel' }, due: null })
})

test('whoever presses twice, or writes while somebody else does, sends once', async () => {
  const { state, write } = await desk()
  const both = await Promise.allSettled([write('request', { toldAt: null }), write('request', { toldAt: null })])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(write('request', { toldAt: null })).rejects.toMatchObject({ details: { reason: 'supplier_told' } })
  expect((await state()).told?.act).toBe('request')
})

const over = { details: { reason: 'supplier_told' } }

test('nothing is asked for, changed or confirmed of what was called off', async () => {
  const { state, write, answer, mail } = await desk()
  await write('request')
  await mail()
  await answer('cancelled')
  expect(await state()).toMatchObject({ due: 'cancel', acts: ['cancel'] })
  for (const act of ['request', 'confirm', 'update'] as const) await expect(write(act)).rejects.toMatchObject(over)
  await write('cancel')
  expect((await mail())?.body).toContain('Dinner, three courses × 2')
  expect(await state()).toMatchObject({ due: null, acts: [] })
})

test('a supplier that has declined is sent no cancellation', async () => {
  const { state, write, answer } = await desk()
  await write('request')
  await answer('declined')
  expect(await state()).toMatchObject({ due: null, acts: [] })
})

test.each(['failed', 'suppressed'] as const)(
  'a request that is %s is due again as a request, whatever has changed since',
  async (status) => {
    const { caller, departureId, state, write, fate, mail } = await desk()
    await write('request')
    await fate(status)
    expect(await state()).toMatchObject({ due: 'request', told: { status } })
    await book(caller, departureId, 1, { guests: [] })
    expect(await state()).toMatchObject({ due: 'request' })
    await write('request')
    const sent = await mail()
    expect(sent?.subject).toMatch(/^Request: /)
    expect(sent?.body).toContain('Guests: 3\n')
    expect(await state()).toMatchObject({ due: null })
  },
)

test('what comes to a supplier later is requested with the change, and its confirmation is written after that', async () => {
  const { caller, departureId, supplierId, state, write, services, answer } = await desk()
  await write('request')
  await caller.call(verbOf(createService), { departureId, supplierId, kind: 'meal', description: 'Lunch' })
  expect(await state()).toMatchObject({ due: 'update' })
  await write('update')
  expect((await services()).map(({ status }) => status)).toEqual(['requested', 'requested'])
  for (const { id } of await services()) await answer('confirmed', id)
  expect(await state()).toMatchObject({ due: 'confirm', acts: ['confirm', 'update', 'cancel'] })
  await write('confirm')
  expect(await state()).toMatchObject({ due: null })
})

test('who drives is not told what guests eat', async () => {
  const { caller, departureId, supplierId } = await desk()
  const { id: coach } = await caller.call(verbOf(createSupplier), { name: 'Coach House', kind: 'transport' })
  await caller.call(verbOf(createService), {
    departureId,
    supplierId: coach,
    kind: 'transport',
    description: 'Coach with 20 seats',
  })
  const reads = async (id: string) => {
    const meant = { departureId, supplierId: id, act: 'request' as const, note: null }
    return (await caller.call(verbOf(previewSupplierMessage), meant)).body
  }
  expect(await reads(supplierId)).toContain('1 × vegan')
  expect(await reads(coach)).not.toContain('vegan')
})

test('a supplier is written to in its own language once somebody has chosen it', async () => {
  const { caller, departureId, supplierId, state, write, mail } = await desk()
  expect(await state()).toMatchObject({ language: 'en' })
  const meant = { departureId, supplierId, act: 'request' as const, note: null }
  const preview = (language?: 'es') => caller.call(verbOf(previewSupplierMessage), { ...meant, language })
  expect(await preview('es')).toMatchObject({ language: 'es', subject: expect.stringMatching(/^Solicitud: /) })
  // looking at another language changes nothing
  expect(await preview()).toMatchObject({ language: 'en' })
  await write('request', { language: 'es' })
  expect((await mail())?.body).toContain('Pasajeros: 2\n')
  expect(await state()).toMatchObject({ language: 'es' })
  await write('cancel')
  expect((await mail())?.subject).toMatch(/^Anulación: /)
  const { rows } = await caller.call(verbOf(listSuppliers), {})
  expect(rows).toMatchObject([{ id: supplierId, language: 'es' }])
})

test('our own link is read in the language that was chosen last, and that of somebody as they made it', async () => {
  const { caller, departureId, supplierId, write } = await desk()
  const linkLocales = async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{
        locale: string | null
      }>`select locale from shared_links where org_id = ${caller.orgId} and supplier_id = ${supplierId} order by created_at, id`.execute(
        tx,
      ),
    )
    return rows.map(({ locale }) => locale)
  }
  await write('request')
  expect(await linkLocales()).toEqual(['en'])
  await write('update', { language: 'es' })
  expect(await linkLocales()).toEqual(['es'])
  await caller.call(verbOf(createLink), {
    kind: 'supplier_manifest',
    subjectId: departureId,
    supplierId,
    label: 'Kitchen',
    language: 'de',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  })
  await write('update')
  expect(await linkLocales()).toEqual(['es', 'de'])
})
