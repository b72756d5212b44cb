import type { Locator, Page } from '@playwright/test'
import { getIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { onePixel } from '../../one-pixel.ts'

test.use({ storageState: sessionFile('dispatcher') })

/** An incident of this journey's own, and its room. */
async function openRoom(page: Page) {
  const api = await apiAs('dispatcher')
  const title = `Guest unwell ${Math.random().toString(36).slice(2, 7)}`
  const { id, number } = await api.call(reportIncident, {
    category: 'medical',
    severity: 2,
    title,
  })
  await page.goto(`/tools/monitoring?incident=${id}`)
  const room = page.getByRole('dialog', { name: new RegExp(number) })
  return {
    api,
    id,
    number,
    room,
    log: room.getByRole('list', { name: 'Log' }),
  }
}

const choose = (room: Locator, files: readonly { name: string; mimeType: string; buffer: Buffer }[]) =>
  room.locator('input[type=file]').setInputFiles([...files])
const photo = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: onePixel,
})
const table = (name: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from('name;seat\nAna;4\n'),
})
const lineOf = (log: Locator, text: string) => log.getByRole('listitem').filter({ hasText: text })

test('photos and documents come into the log beside what is typed; they are opened, downloaded and removed by keyboard', async ({
  page,
  complaints,
}) => {
  const { room, log } = await openRoom(page)
  const line = room.getByRole('textbox', {
    name: 'What happened? Who did what?',
  })
  await line.fill('Ambulance is on')
  await expect(room.getByText(/up to 10 MB each/)).toBeVisible()
  await choose(room, [
    photo('car-park.png'),
    { name: 'nothing.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) },
    {
      name: 'program.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0]),
    },
    table('seats.csv'),
    { name: 'invoice.bat', mimeType: 'text/plain', buffer: Buffer.from('echo') },
    { name: 'police report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') },
  ])
  await expect(lineOf(log, 'Photo added: car-park.png')).toBeVisible()
  await expect(lineOf(log, 'File added: seats.csv')).toContainText('16 byte')
  // each error is at its file, and the others are not held up by it
  const uploads = room.getByRole('list', { name: 'Uploads' })
  await expect(uploads.getByRole('listitem')).toHaveCount(2)
  await expect(lineOf(uploads, 'nothing.csv')).toContainText('The file is empty. Choose another one.')
  await expect(lineOf(uploads, 'program.jpg')).toContainText('Possible are: PNG')
  // once more would be refused once more
  await expect(uploads.getByRole('button', { name: /^Try again/ })).toHaveCount(0)
  await expect(line).toHaveValue('Ambulance is on')
  await expectAccessible(page)
  for (const name of ['nothing.csv', 'program.jpg']) {
    await uploads.getByRole('button', { name: `Take off the list: ${name}` }).focus()
    await page.keyboard.press('Enter')
  }
  await expect(uploads).toHaveCount(0)
  await expect(room.getByRole('button', { name: 'Add photos or files' })).toBeFocused()
  takeAnswers(complaints, 400)

  const open = log.getByRole('button', { name: 'Open photo: car-park.png' })
  await expect.poll(() => open.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await open.focus()
  await page.keyboard.press('Enter')
  const large = page.getByRole('dialog', { name: 'car-park.png' })
  await expect(large.getByRole('img', { name: 'car-park.png' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(large).toBeHidden()
  await expect(open).toBeFocused()
  for (const [name, as] of [
    ['car-park.png', 'car-park.png'],
    ['seats.csv', 'seats.csv'],
    ['police report.pdf', 'police report.pdf'],
    // nobody runs what is a text
    ['invoice.bat', 'invoice.bat.csv'],
  ] as const) {
    const saved = page.waitForEvent('download')
    await log.getByRole('button', { name: `Download: ${name}` }).click()
    expect((await saved).suggestedFilename()).toBe(as)
  }

  await log.getByRole('button', { name: 'Remove file: seats.csv' }).focus()
  await page.keyboard.press('Enter')
  const asking = page.getByRole('dialog', { name: 'Remove this file?' })
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'Remove file' }).click()
  await expect(asking).toBeHidden()
  await expect(lineOf(log, 'File removed: seats.csv')).toBeVisible()
  await expect(log.getByRole('button', { name: 'Download: seats.csv' })).toHaveCount(0)
  await expect(log).toBeFocused()
  await expect(line).toHaveValue('Ambulance is on')

  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.incident-sheet td').getByText('car-park.png', { exact: true })).toBeVisible()
})

/** Gives the page files as dragging or pasting does. */
const give = (target: Locator, kind: 'drop' | 'paste', name: string, content: Buffer) =>
  target.evaluate(
    (element, [kindOf, fileName, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], fileName, { type: 'image/png' }))
      const options = { bubbles: true, cancelable: true }
      if (kindOf === 'drop') {
        element.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: data }))
        element.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }))
      } else element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
    },
    [kind, name, content.toString('base64')] as const,
  )

test('files are dropped anywhere on the room or pasted into the line; who only reads sees them come and changes none', async ({
  page,
  browser,
}) => {
  const { id, number, room, log } = await openRoom(page)
  const context = await browser.newContext({
    storageState: sessionFile('viewer'),
  })
  const reader = await context.newPage()
  await reader.goto(`/tools/monitoring?incident=${id}`)
  const seen = reader.getByRole('dialog', { name: new RegExp(number) }).getByRole('list', { name: 'Log' })
  await expect(seen).toBeVisible()
  await give(log, 'drop', 'dropped.png', onePixel)
  await expect(lineOf(log, 'Photo added: dropped.png')).toBeVisible()
  await give(room.getByRole('textbox', { name: 'What happened? Who did what?' }), 'paste', 'pasted.png', onePixel)
  await expect(lineOf(log, 'Photo added: pasted.png')).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Open photo: pasted.png' })).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Download: dropped.png' })).toBeVisible()
  await expect(seen.getByRole('button', { name: /Remove file/ })).toHaveCount(0)
  await expect(reader.getByRole('button', { name: 'Add photos or files' })).toHaveCount(0)
  await context.close()
})

test('a file that arrived while the log could not be written is added with one press, and is not sent again', async ({
  page,
  complaints,
}) => {
  const { api, id, room, log } = await openRoom(page)
  await page.route('**/api/incident-files-add', (route) => route.abort(), {
    times: 1,
  })
  await choose(room, [photo('car-park.png')])
  const uploads = room.getByRole('list', { name: 'Uploads' })
  await expect(lineOf(uploads, 'car-park.png').getByRole('alert')).toBeVisible()
  const announced: string[] = []
  page.on('request', (request) => announced.push(new URL(request.url()).pathname))
  await uploads.getByRole('button', { name: 'Try again: car-park.png' }).click()
  await expect(lineOf(log, 'Photo added: car-park.png')).toBeVisible()
  await expect(uploads).toHaveCount(0)
  expect(announced).not.toContain('/api/files/uploads')
  const { timeline } = await api.call(getIncident, { id })
  expect(timeline.filter(({ kind }) => kind === 'file')).toHaveLength(1)
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('ERR_FAILED')))
})

test('who leaves while a file is on its way is asked first', async ({ page }) => {
  const { room, log } = await openRoom(page)
  const held: (() => Promise<void>)[] = []
  await page.route('**/api/files/uploads', (route) => {
    held.push(() => route.continue())
  })
  await choose(room, [photo('car-park.png')])
  await expect.poll(() => held.length).toBe(1)
  await room.getByRole('button', { name: 'Close' }).click()
  const asking = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(asking).toContainText('Files that are still being uploaded are not added')
  await asking.getByRole('button', { name: 'Stay' }).click()
  await held[0]?.()
  await expect(lineOf(log, 'Photo added: car-park.png')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`on a phone a long name and its buttons stay within the screen (${colorScheme})`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme })
    const { room, log } = await openRoom(page)
    const name = `${'car-park-at-the-lighthouse-'.repeat(4)}.png`
    await choose(room, [photo(name), { name: `x${name}`, mimeType: 'image/png', buffer: Buffer.alloc(0) }])
    await expect(log.getByRole('button', { name: `Open photo: ${name}` })).toBeVisible()
    await expect(room.getByRole('list', { name: 'Uploads' })).toContainText('The file is empty')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await log.getByRole('button', { name: `Open photo: ${name}` }).click()
    await expect(page.getByRole('dialog', { name }).getByRole('img', { name })).toBeVisible()
    await expectAccessible(page)
  })
}
