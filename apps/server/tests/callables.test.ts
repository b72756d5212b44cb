import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { callables, isCallable } from '@tour-ops/contract/callables'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../packages/contract/src/', import.meta.url))

test('every callable of every contract file is in the list', async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules: object[] = await Promise.all(
    files.map((name): Promise<object> => import(/* @vite-ignore */ `${folder}${name}`)),
  )
  const exported = modules.flatMap((module) => Object.values(module).filter(isCallable))
  const listed = new Set(callables.map((each) => each.name))
  expect(exported.length).toBeGreaterThan(0)
  expect(exported.filter((each) => !listed.has(each.name)).map((each) => each.name)).toEqual([])
})
