import type { Locator, Page } from '@playwright/test'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { expect, expectAccessibleEverywhere, settled, test } from '../../fixtures.ts'
import { isSubscribed, noticesOfWorker, pushService } from '../../push-service.ts'

/** In an organization of its own. @returns The part of the settings about browsers. */
async function switchOn(page: Page, organization: string): Promise<Locator> {
  await enterWithWallet(page)
  await createOrganization(page, organization)
  await page.goto('/settings/notifications')
  const browsers = page.getByRole('region', { name: 'Notices in browsers' })
  await browsers.getByRole('button', { name: 'Switch on' }).click()
  await expect(browsers.getByText('On', { exact: true })).toBeVisible()
  return browsers
}

test('notices are switched on in this browser, tried, shown while no page is open, and open what they are about', async ({
  page,
  context,
}) => {
  const service = await pushService(context)
  try {
    const browsers = await switchOn(page, 'Push Walks')
    await expectAccessibleEverywhere(page)

    await browsers.getByRole('button', { name: 'Send a test' }).click()
    await expect
      .poll(() => service.notices)
      .toMatchObject([{ title: 'Notices arrive here', link: '/settings/notifications' }])

    // the worker gets what the service got, as the browser gives it to it
    const devices = await context.newCDPSession(page)
    const registered = new Promise<string>((found) => {
      devices.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/push/'))
        if (own) found(own.registrationId)
      })
    })
    await devices.send('ServiceWorker.enable')
    const origin = new URL(page.url()).origin
    const registrationId = await registered
    const data = JSON.stringify(service.notices[0])
    const heard = await noticesOfWorker(context)
    await devices.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await expect
      .poll(() => heard.shown())
      .toEqual([
        {
          title: 'Notices arrive here',
          body: 'This is a test that you asked for.',
          data: { link: '/settings/notifications' },
        },
      ])
    expect(await heard.openedBy('/tools/monitoring')).toEqual([`${origin}/tools/monitoring`])
    expect(await heard.openedBy('https://elsewhere.example/')).toEqual([])

    await page.reload()
    await expect(browsers.getByText('On', { exact: true })).toBeVisible()
    await browsers.getByRole('button', { name: 'Switch off' }).click()
    await expect(browsers.getByRole('button', { name: 'Switch on' })).toBeVisible()
    await page.reload()
    await settled(page)
    await expect(browsers.getByRole('button', { name: 'Switch on' })).toBeVisible()
  } finally {
    await service.close()
  }
})

test('a browser that has ended its notices leaves the list by itself, and one whose session ends takes none any more', async ({
  page,
  context,
}) => {
  const service = await pushService(context)
  try {
    const browsers = await switchOn(page, 'Push Ends')
    service.end()
    await browsers.getByRole('button', { name: 'Send a test' }).click()
    await expect(browsers.getByRole('button', { name: 'Switch on' })).toBeVisible()

    await browsers.getByRole('button', { name: 'Switch on' }).click()
    await expect(browsers.getByText('On', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/sign-in/)
    expect(await isSubscribed(page)).toBe(false)
  } finally {
    await service.close()
  }
})
