import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isPermission, roles, scopeOf } from './identity/access.ts'
import { callables } from './callables.ts'
import { guardedFields, guardOf, isField, looksGuarded, openFields } from './guarded-fields.ts'

interface Schema {
  readonly anyOf?: readonly Schema[]
  /** Of a union that a kind decides. */
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

function pathsOf({ anyOf = [], oneOf = [], items, properties = {} }: Schema, path = ''): string[] {
  const inside = (name: string): string => (path ? `${path}.${name}` : name)
  return [
    ...[...anyOf, ...oneOf].flatMap((part) => pathsOf(part, path)),
    ...(items ? pathsOf(items, inside('*')) : []),
    ...Object.entries(properties).flatMap(([name, part]) => [inside(name), ...pathsOf(part, inside(name))]),
  ]
}

const answers = callables.map((callable) => {
  const schema = z.toJSONSchema(callable.output, { io: 'output', unrepresentable: 'any', reused: 'inline' })
  return { callable, paths: [...new Set(pathsOf(schema as Schema))] }
})
const fields = answers.flatMap(({ callable, paths }) => paths.map((path) => ({ callable, path })))
const open = Object.values(openFields).flat()

test('a field of an answer that looks guarded is guarded, or open for a reason', () => {
  const undecided = fields.filter(
    ({ callable: { name }, path }) =>
      looksGuarded.test(path.split('.').at(-1) ?? '') &&
      !guardOf(name, path) &&
      !open.some((written) => isField(written, name, path)),
  )
  expect(undecided.map(({ callable, path }) => `${callable.name} ${path}`)).toEqual([])
})

test('every line of the tables refers to an existing field', () => {
  const written = [...guardedFields.flatMap((guard) => guard.fields), ...open]
  expect(written.filter((line) => !fields.some(({ callable, path }) => isField(line, callable.name, path)))).toEqual([])
})

test('everyone who may make a change may read its whole answer', () => {
  const told = fields.flatMap(({ callable: { name, kind, permission }, path }) => {
    const guard = guardOf(name, path)
    if (kind === 'read' || !guard || !isPermission(permission)) return []
    return roles
      .filter((role) => scopeOf(role, permission) && !scopeOf(role, guard.needs))
      .map((role) => `${role} ${name} ${path}`)
  })
  expect(told).toEqual([])
})
