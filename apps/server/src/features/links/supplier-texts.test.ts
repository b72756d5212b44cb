import type { In } from '@tour-ops/contract/callable'
import { previewSupplierMessage, type SupplierAct, writeToSupplier } from '@tour-ops/contract/links/supplier-messages'
import { getSupplierTexts, saveSupplierTexts } from '@tour-ops/contract/links/supplier-texts'
import { createService, createSupplier } from '@tour-ops/contract/vehicles/vehicles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, publishedTour } from '../../../testing/operations.ts'
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

/** A party of two without a diet, and a dinner. */
async function desk() {
  const caller = await world.as('admin')
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId, { localDate: inDays(20) })
  await book(caller, departureId, 2)
  const { id: supplierId } = await caller.call(verbOf(createSupplier), { name: 'Harbor Kitchen', kind: 'restaurant' })
  await caller.call(verbOf(createService), { departureId, supplierId, kind: 'meal', description: 'Dinner' })
  const textsOf = async (act: SupplierAct) => {
    const found = (await caller.call(verbOf(getSupplierTexts), {})).acts.find((one) => one.act === act)
    if (!found) throw new Error('Every kind of message has texts')
    return found
  }
  const save = (input: In<typeof saveSupplierTexts>) => caller.call(verbOf(saveSupplierTexts), input)
  const preview = (act: SupplierAct, more: Partial<In<typeof previewSupplierMessage>> = {}) =>
    caller.call(verbOf(previewSupplierMessage), { departureId, supplierId, act, note: null, ...more })
  return { caller, departureId, supplierId, textsOf, save, preview }
}

const own = {
  language: 'en' as const,
  subject: 'We need you: {{tour}}',
  body: 'Dear {{name}},\n\n{{services}}\nPeople: {{guests}}\n{{diets}}\n\n{{link}} \n\n{{company}}',
}

test('a supplier reads the text of the organization in its language, and in others what comes with the product', async () => {
  const { caller, departureId, supplierId, save, preview, textsOf } = await desk()
  expect(await save({ act: 'request', version: 0, texts: [own] })).toEqual({ version: 1 })
  expect(await textsOf('request')).toMatchObject({ version: 1, own: [own] })
  expect(await textsOf('update')).toMatchObject({ version: 0, own: [] })
  const { subject, body } = await preview('request', { note: 'Near the window' })
  expect(subject).toBe('We need you: Golden Circle')
  expect(body).toMatch(/^Dear Harbor Kitchen,\n\n- .*: Dinner\nPeople: 2\n\n\{link\} \n\n/)
  // what the sender adds is read, although the text does not say where
  expect(body).toMatch(/\n\nNear the window\n$/)
  expect((await preview('request', { language: 'de' })).subject).toMatch(/^Anfrage: /)
  const email = 'kitchen@example.com'
  await caller.call(verbOf(writeToSupplier), {
    departureId,
    supplierId,
    act: 'request',
    note: null,
    toldAt: null,
    email,
  })
  expect((await sentMails(world)).findLast(({ to }) => to === email)?.body).toMatch(
    /People: 2\n\nhttp\S*\/share\/\S+\n/,
  )
  await save({ act: 'request', version: 1, texts: [] })
  expect((await preview('request')).subject).toMatch(/^Request: /)
})

test('a text without a place for the link makes none', async () => {
  const { caller, departureId, supplierId, save } = await desk()
  await save({ act: 'request', version: 0, texts: [{ ...own, body: '{{services}}, {{guests}}' }] })
  const email = 'kitchen@example.com'
  const meant = { departureId, supplierId, act: 'request' as const, note: null, toldAt: null, email }
  await caller.call(verbOf(writeToSupplier), meant)
  expect((await sentMails(world)).findLast(({ to }) => to === email)?.body).toMatch(/Dinner, 2\n$/)
  const links = await caller.transaction((tx) =>
    tx.selectFrom('shared_links').select('id').where('org_id', '=', caller.orgId).execute(),
  )
  expect(links).toEqual([])
})

test('a text names only what a message has, and what a supplier needs', async () => {
  const { save } = await desk()
  const refused = (act: SupplierAct, text: Partial<typeof own>) =>
    expect(save({ act, version: 0, texts: [{ ...own, ...text }] })).rejects
  await refused('request', { subject: '{{due}}' }).toMatchObject({ code: 'invalid-argument' })
  await refused('request', { body: 'Dear {{name}}, {{guests}}' }).toMatchObject({ code: 'invalid-argument' })
  await refused('request', { body: '{{services}} {{guests}} see {{link}}' }).toMatchObject({ code: 'invalid-argument' })
  // nothing of the guests where all is cancelled
  await refused('cancel', {}).toMatchObject({ code: 'invalid-argument' })
  expect(await save({ act: 'cancel', version: 0, texts: [{ ...own, body: 'No longer: {{services}}' }] })).toEqual({
    version: 1,
  })
})

test('every text to begin with can be saved, and says what the shipped one says', async () => {
  const { caller, save, preview } = await desk()
  const { acts } = await caller.call(verbOf(getSupplierTexts), {})
  for (const { act, starters } of acts) {
    const read = async (note: string | null) => (act === 'cancel' ? '' : (await preview(act, { note })).body.trim())
    const shipped = [await read('Thank you'), await read(null)]
    await save({ act, version: 0, texts: starters })
    expect([await read('Thank you'), await read(null)]).toEqual(shipped)
  }
})

test('of two who save at once the second is told, and only who manages messages saves', async () => {
  const { caller, save } = await desk()
  await save({ act: 'confirm', version: 0, texts: [own] })
  await expect(save({ act: 'confirm', version: 0, texts: [own] })).rejects.toMatchObject({
    details: { reason: 'version_conflict' },
  })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  await expect(viewer.call(verbOf(saveSupplierTexts), { act: 'confirm', version: 1, texts: [] })).rejects.toMatchObject(
    { code: 'permission-denied' },
  )
})
