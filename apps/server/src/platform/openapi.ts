import type { Callable } from '@tour-ops/contract/callable'
import { errorCodes, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import * as z from 'zod/mini'

type Json = Readonly<Record<string, unknown>>

/**
 * OpenAPI 3.1 description of every callable, generated from the same shapes that parse requests.
 *
 * @param origin Address of this installation, without a slash at its end.
 */
export function openApiDocument(callables: readonly Callable[], origin: string): Json {
  const sorted = callables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tour operations',
      version: '1',
      description:
        'Remote calls of the operations dashboard. Every call is a POST with `{ "data": … }` and is answered by `{ "result": … }` or `{ "error": … }`.',
    },
    servers: [{ url: `${origin}/api` }],
    paths: Object.fromEntries(sorted.map((callable) => [`/${callable.name}`, { post: operation(callable) }])),
    components: {
      securitySchemes: { backendToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema },
      responses: Object.fromEntries(errorCodes.map((code) => [code, errorResponse(code)])),
    },
  }
}

function operation(callable: Callable): Json {
  return {
    operationId: callable.name,
    summary: callable.summary,
    description: accessSentence(callable),
    tags: [callable.name.split('-')[0]],
    security: callable.permission === 'public' ? [] : [{ backendToken: [] }],
    'x-permission': callable.permission,
    'x-kind': callable.kind,
    requestBody: { required: true, content: content(wrapped('data', schemaOf(callable.input, 'input'))) },
    responses: {
      200: { description: 'Done.', content: content(wrapped('result', schemaOf(callable.output, 'output'))) },
      ...Object.fromEntries(
        errorCodes
          .filter((code) => code !== 'cancelled') // the caller who would read it is gone
          .map((code) => [httpStatusOf[code], { $ref: `#/components/responses/${code}` }]),
      ),
    },
  }
}

const accessSentences: Readonly<Record<string, string>> = {
  public: 'Needs no sign-in.',
  'signed-in': 'Needs a signed-in person.',
  member: 'Needs an active member of the organization.',
}

function accessSentence({ permission, kind, repeated }: Callable): string {
  const access = accessSentences[permission] ?? `Needs the permission \`${permission}\`.`
  return kind === 'read'
    ? `${access} Changes nothing; may be repeated.`
    : repeated === 'runs-again'
      ? `${access} Runs again each time.`
      : `${access} Takes an optional \`idempotencyKey\`.`
}

/** Parts that JSON Schema cannot say (a transformation) are left open; the server still checks them. */
function schemaOf(shape: Callable['input'], io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline' })
  return schema
}

const wrapped = (name: string, schema: Json): Json => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
})
const content = (schema: Json): Json => ({ 'application/json': { schema } })

const errorSchema: Json = wrapped('error', {
  type: 'object',
  required: ['status', 'message'],
  properties: {
    status: { type: 'string', enum: errorCodes.map(wireStatusOf) },
    message: { type: 'string' },
    details: {
      type: 'object',
      properties: {
        requestId: { type: 'string' },
        reason: { type: 'string' },
        fieldErrors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
})

const errorResponse = (code: (typeof errorCodes)[number]): Json => ({
  description: wireStatusOf(code),
  content: content({ $ref: '#/components/schemas/Error' }),
})
