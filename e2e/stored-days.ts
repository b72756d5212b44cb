import type { Page } from '@playwright/test'

/** How many days of the guide's phone are stored in a browser. */
export const storedDays = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opened = indexedDB.open('duty')
        opened.addEventListener('success', () => {
          const days = opened.result.transaction('days').objectStore('days').count()
          days.addEventListener('success', () => {
            resolve(days.result)
            opened.result.close()
          })
        })
      }),
  )
