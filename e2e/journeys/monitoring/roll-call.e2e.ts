import { apiAs } from '../../api.ts'
import { sessionFile, test } from '../../fixtures.ts'
import { askAndAnswerRollCall } from '../../roll-call-steps.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('the office asks who is safe, guests answer with one tap on their link, and a call for help is seen at once', async ({
  page,
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  await askAndAnswerRollCall({ page, phone: await context.newPage(), office: await apiAs('admin') })
  await context.close()
})
