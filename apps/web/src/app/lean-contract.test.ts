import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { leanModule } from '../../build/lean-contract.ts'

const contract = path.join(import.meta.dirname, '../../../../packages/contract/src')
const sourcesOf = (folder: string, pattern: RegExp): { file: string; code: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !file.includes('.test.'))
    .map((file) => ({ file, code: readFileSync(path.join(folder, file), 'utf8') }))

test('callables lose their answers and sentences, constants are made where they are used, other statements stay', () => {
  const lean = leanModule(`
import * as z from 'zod/mini'
z.config({ customError: () => 'Fill this in.' })
const names = ['a', 'b'] as const
const limits = { most: 5 }
export const requests = { get: z.object({ id: z.string() }) } as const
export const permissions = { ...others, rows: 'rows:read' } satisfies Record<string, string>
export const livePaths = {
  drafts: { pattern: 'drafts/{id}', kind: 'stored', read: { kind: 'self' }, write: { kind: 'self' }, data: Row, maxBytes: 9 },
} as const
export const Row = z.object({ output: z.string(), summary: z.string() })
export const rowsList: Callable = callable({
  name: 'rows-list',
  summary: 'Rows, newest first.',
  input: z.object({}),
  output: z.array(Row),
})
export type Row = z.output<typeof Row>
`)
  expect(lean.replaceAll(/\s+/g, ' ').trim()).toBe(
    [
      `import * as z from 'zod/mini'`,
      `z.config({ customError: () => 'Fill this in.' })`,
      `const names = ['a', 'b'] as const`,
      `const limits = { most: 5 }`,
      `export const requests = /* @__PURE__ */ (() => ({ get: z.object({ id: z.string() }) } as const))()`,
      `export const permissions = /* @__PURE__ */ (() => ({ ...others, rows: 'rows:read' } satisfies Record<string, string>))()`,
      `export const livePaths = /* @__PURE__ */ (() => ({ drafts: { pattern: 'drafts/{id}', kind: 'stored', }, } as const))()`,
      `export const Row = /* @__PURE__ */ (() => (z.object({ output: z.string(), summary: z.string() })))()`,
      `export const rowsList: Callable = /* @__PURE__ */ (() => (callable({ name: 'rows-list', input: z.object({}), })))()`,
      `export type Row = z.output<typeof Row>`,
    ].join(' '),
  )
})

test('a callable that is not written out fails the build', () => {
  expect(() => leanModule('export const rowsList = callable(definition)')).toThrow('written out')
})

test('every module of the contract is still one, with as many callables and no answer', () => {
  for (const { file, code } of sourcesOf(contract, /\.ts$/)) {
    const lean = leanModule(code)
    expect(() => parseAst(lean, { lang: 'ts' }), file).not.toThrow()
    expect(lean.split('callable({').length, file).toBe(code.split('callable({').length)
    for (const [definition] of lean.matchAll(/callable\(\{\n[^]*?\n\}/g))
      expect(definition).not.toMatch(/^ {2}(output|summary):/m)
  }
})

/** They are there in development and missing in the build. */
test('no code of the browser reads the shape of an answer, the sentence about a call, nor who may write a document', () => {
  const readers = sourcesOf(path.join(import.meta.dirname, '..'), /\.tsx?$/).filter(
    ({ file, code }) =>
      !file.startsWith('paraglide') &&
      /(?<!\bz)\.(output|summary)\b|\.rule\.(read|write|writableFields|data|maxBytes)\b|\b(livePaths)\b/.test(code),
  )
  expect(readers.map(({ file }) => file)).toEqual([])
})
