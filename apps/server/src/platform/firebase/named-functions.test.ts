import { expect, test } from 'vitest'
import { allVerbs } from '../../verbs.ts'
import { namedFunctions } from './named-functions.ts'

test('every callable is deployed under its own name, and is found where the runtime looks for it', () => {
  const names = allVerbs.map(({ callable }) => callable.name)
  expect(names, 'one name may go on where another ends').toEqual(
    expect.arrayContaining(['imports-undo', 'imports-undo-check']),
  )
  const module = namedFunctions(names, (name) => Object.assign(() => undefined, { callable: name }))
  expect(Object.keys(module).toSorted()).toEqual(names.toSorted())
  for (const name of names) {
    let at: unknown = module
    for (const part of name.split('-')) at = (at as Record<string, unknown>)[part]
    expect(at, name).toBe(module[name])
    expect(module[name]?.callable).toBe(name)
  }
})
