import type { In } from '@tour-ops/contract/callable'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import {
  listSupplierMessages,
  previewSupplierMessage,
  setSupplierEmail,
  writeToSupplier,
} from '@tour-ops/contract/links/supplier-messages'
import { createService, createSupplier, listServices, setServiceStatus } from '@tour-ops/contract/vehicles/vehicles'
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
  const write = async (act: In<typeof writeToSupplier>['act'], more: { toldAt?: string | null; note?: string } = {}) =>
    caller.call(verbOf(writeToSupplier), {
      departureId,
      supplierId,
      act,
      toldAt: (await state()).told?.at ?? null,
      ...more,
    })
  const confirm = async () => {
    const { rows } = await caller.call(verbOf(listServices), { filters: { departureId: [departureId] } })
    await caller.call(verbOf(setServiceStatus), {
      id: service.id,
      version: rows[0]?.version ?? 1,
      to: 'confirmed',
      confirmationRef: 'HK-7',
    })
  }
  const mail = async () => (await sentMails(world)).findLast(({ to }) => to === address)
  return { caller, departureId, supplierId, state, write, confirm, mail }
}

test('a supplier without an address gets one on the screen; what it is asked for is requested from then on, in numbers and without names', async () => {
  const { caller, departureId, supplierId, state, write, mail } = await desk()
  expect(await state()).toMatchObject({ email: null, told: null, due: 'request', guests: 2 })
  await expect(write('request')).rejects.toMatchObject({ details: { reason: 'supplier_unreachable' } })
  await caller.call(verbOf(setSupplierEmail), { id: supplierId, version: 1, email: address })
  expect(await state()).toMatchObject({ email: address, version: 2 })
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
  expect(await state()).toMatchObject({ told: { act: 'request', to: address, guests: 2 }, due: null })
  const token = /\/share\/(\S+)/.exec((await mail())?.body ?? '')?.[1] ?? ''
  expect(await guestOf(world, world.services.clock)(getSharedPage, { token })).toMatchObject({
    kind: 'supplier_manifest',
    supplierName: 'Harbor Kitchen',
    guests: { total: 2 },
    names: [],
  })
})

test('a change of the count after the confirmation, and the end of the departure, are prepared and not forgotten', async () => {
  const { caller, departureId, supplierId, state, write, confirm, mail } = await desk()
  await caller.call(verbOf(setSupplierEmail), { id: supplierId, version: 1, email: address })
  await write('request')
  await confirm()
  expect(await state()).toMatchObject({ due: 'confirm' })
  await write('confirm')
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
  const { caller, departureId, supplierId, state, write, mail } = await desk()
  await caller.call(verbOf(setSupplierEmail), { id: supplierId, version: 1, email: address })
  await write('request')
  await write('cancel')
  expect((await mail())?.body).toContain('We no longer need:')
  const { rows } = await caller.call(verbOf(listServices), { filters: { departureId: [departureId] } })
  expect(rows).toMatchObject([{ status: 'cancelled' }])
  expect(await state()).toMatchObject({ told: { act: 'cancel' }, due: null })
})

test('whoever presses twice, or writes while somebody else does, sends once', async () => {
  const { caller, supplierId, state, write } = await desk()
  await caller.call(verbOf(setSupplierEmail), { id: supplierId, version: 1, email: address })
  const both = await Promise.allSettled([write('request', { toldAt: null }), write('request', { toldAt: null })])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(write('request', { toldAt: null })).rejects.toMatchObject({ details: { reason: 'supplier_told' } })
  expect((await state()).told?.act).toBe('request')
})
