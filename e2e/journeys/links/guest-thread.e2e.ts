import { createLink } from '@tour-ops/contract/links/links'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiAs, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('a guest writes to the office on their page, and reads there what the dispatcher answers in the booking', async ({
  page,
  browser,
}, info) => {
  const api = await apiAs('admin')
  const { id } = await makeDeparture(await makeTour(`Glacier ${Math.random().toString(36).slice(2, 7)}`))
  const booking = await book(id, ['Nora Lind'])
  const { path } = await api.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: 'Lind',
    language: 'en',
    scopes: { messages: true },
  })
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  const messages = phone.getByRole('region', { name: 'Messages' })
  await messages.getByLabel(/^Message to/).fill('May we bring a dog?\nIt is small.')
  await expectAccessible(phone)
  await messages.getByRole('button', { name: 'Send' }).click()
  await expect(messages.getByRole('listitem')).toContainText('It is small.')
  await expect(messages.getByLabel(/^Message to/)).toHaveValue('')

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const thread = page.getByRole('region', { name: 'Messages of the guest' })
  await expect(thread).toContainText('May we bring a dog?')
  await expect(thread).toContainText('1 unread')
  await thread.getByLabel('Answer').fill('Yes, on a lead.')
  await thread.scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('office.png') })
  await expectAccessible(page)
  await thread.getByRole('button', { name: 'Send answer' }).click()
  await expect(thread.getByRole('listitem')).toHaveCount(2)
  await expect(thread).not.toContainText('unread')

  await expect(messages.getByRole('listitem').last()).toContainText('Yes, on a lead.')
  await phone.screenshot({ path: info.outputPath('guest.png'), fullPage: true })
  await context.close()
})

test.describe('in a new organization', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('the office writes first, and what a guest answers is counted on the overview and at the departure', async ({
    page,
    browser,
  }, info) => {
    // an organization of its own: what is on the overview of the demo longest of all fills its list
    await enterWithWallet(page)
    await createOrganization(page, 'Fjord Walks')
    const api = await apiOfBrowser(page.context())
    await makePlaces(api)
    const tour = 'Fjord walk'
    const departure = await makeDeparture(await makeTour(tour, api), {}, api)
    const booking = await book(departure.id, ['Liv Berg'], {}, api)
    const { path } = await api.call(createLink, {
      kind: 'booking_guest',
      subjectId: booking.id,
      label: 'Berg',
      language: 'en',
      scopes: { messages: true },
    })
    await page.goto(`/travelers/list?booking=${booking.id}`)
    const thread = page.getByRole('region', { name: 'Messages of the guest' })
    await thread.getByRole('button', { name: 'Write to the guest' }).click()
    await thread.getByLabel('Message').fill('The harbour has moved.')
    await expectAccessible(page)
    await thread.getByRole('button', { name: 'Send message' }).click()
    await expect(thread.getByRole('listitem')).toContainText('The harbour has moved.')

    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      storageState: { cookies: [], origins: [] },
    })
    const phone = await context.newPage()
    await phone.goto(path)
    const messages = phone.getByRole('region', { name: 'Messages' })
    await expect(messages.getByRole('listitem')).toContainText('The harbour has moved.')
    await messages.getByLabel(/^Message to/).fill('Where to?')
    await messages.getByRole('button', { name: 'Send' }).click()
    await expect(messages.getByRole('listitem')).toHaveCount(2)
    await context.close()

    await page.goto('/')
    const item = page.getByRole('listitem').filter({ hasText: tour }).filter({ hasText: 'Guest wrote' })
    await expect(item).toContainText('1 unread message')
    await page.screenshot({ path: info.outputPath('overview.png') })
    await item.getByRole('link').click()
    const party = page.getByRole('listitem').filter({ hasText: 'Liv Berg' })
    await expect(party).toContainText('1 unread')
    await page.screenshot({ path: info.outputPath('departure.png') })
    await party.getByRole('link', { name: 'Liv Berg' }).click()
    await page
      .getByRole('region', { name: 'Messages of the guest' })
      .getByRole('button', { name: 'Mark as read' })
      .click()
    await expect(item).toHaveCount(0)
  })
})
