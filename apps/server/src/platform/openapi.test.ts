import { callable } from '@tour-ops/contract/callable'
import { LocalDate, write } from '@tour-ops/contract/fields'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

const createThing = callable({
  name: 'things-create',
  kind: 'write',
  writes: [],
  permission: 'tours:manage',
  summary: 'Makes a thing.',
  input: write({ name: z.string().check(z.minLength(1)), startsOn: LocalDate, seats: z._default(z.int(), 3) }),
  output: z.object({ id: z.uuid() }),
})
const ping = callable({
  name: 'ping',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Answers.',
  input: z.object({}),
  output: z.object({ at: z.string() }),
})

interface Described {
  openapi: string
  servers: { url: string }[]
  paths: Record<
    string,
    { post: Record<string, unknown> & { requestBody: unknown; responses: Record<string, unknown> } }
  >
  components: { responses: Record<string, unknown> }
}
const document = openApiDocument([createThing, ping], 'https://tours.example.com') as unknown as Described

test('every callable is a path with its shapes, wrapped as they travel', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers[0]?.url).toBe('https://tours.example.com/api')
  expect(Object.keys(document.paths)).toEqual(['/ping', '/things-create'])
  expect(document.paths['/things-create']?.post.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: {
          required: ['data'],
          properties: {
            data: {
              required: ['name', 'startsOn'],
              properties: { name: { type: 'string', minLength: 1 }, seats: { default: 3 } },
            },
          },
        },
      },
    },
  })
})

test('access and refusals are described', () => {
  const create = document.paths['/things-create']?.post
  expect(create).toMatchObject({ 'x-permission': 'tours:manage', security: [{ backendToken: [] }] })
  expect(document.paths['/ping']?.post).toMatchObject({ security: [] })
  expect(Object.keys(create?.responses ?? {})).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '409',
    '429',
    '500',
    '501',
    '503',
    '504',
  ])
  expect(Object.keys(document.components.responses)).toHaveLength(11)
})
