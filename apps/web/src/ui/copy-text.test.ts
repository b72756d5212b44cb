import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('nothing but copyText reaches for the clipboard, which is not there over plain http', () => {
  const root = new URL('../', import.meta.url)
  const found = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.') && /navigator\s*\.clipboard/.test(readFileSync(new URL(file, root), 'utf8')),
  )
  expect(found).toEqual(['ui/copy-text.ts'])
})
