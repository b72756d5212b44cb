import fs from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import type { FrontendAnswer } from './stand-in.ts'

type Json = Record<string, unknown>

/** As much of the description as is checked. */
interface Description {
  readonly paths: Record<string, Record<string, { readonly responses?: Record<string, Json> }>>
  readonly components: Json
}

/**
 * What the service's own script reads and its public description does not have. The script treats a missing one as `false`, which would hide
 * the choice of an organization.
 */
const undescribed = ['force_organization_selection']

/**
 * Compares answers of the stand-in with the service's published description of the Frontend API.
 *
 * @param file The description (OpenAPI 3.0, YAML).
 * @returns One line for each answer that the service would not give; each kind once.
 */
export function breachesOf(answers: readonly FrontendAnswer[], file: string): string[] {
  const description = parse(fs.readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as Description
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('int64', true)
  ajv.addSchema({ $id: 'api', ...(asJsonSchema({ components: description.components }) as Json) })
  const found = new Set<string>()
  for (const answer of answers) {
    const name = `${answer.method} ${answer.path.replaceAll(/[a-z]+_[0-9a-z]{8,}/g, '{id}')} ${answer.status}`
    const schema = schemaOf(answer, description)
    if (schema === null) {
      found.add(`${name}: not described`)
      continue
    }
    const validate = ajv.compile(schema)
    if (validate(answer.body)) continue
    for (const error of validate.errors ?? []) {
      const property = (error.params as { additionalProperty?: string }).additionalProperty
      if (property === undefined || !undescribed.includes(property)) {
        found.add(`${name}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
      }
    }
  }
  return [...found]
}

/** The schema for an answer of this status, its references pointing into the description; null without one. */
function schemaOf({ method, path, status }: FrontendAnswer, { paths, components }: Description): Json | null {
  const matches = Object.entries(paths)
    .filter(([pattern]) => new RegExp(`^${pattern.replace(/^\/v1/, '').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
    // what is written out comes before what is a parameter
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
  const operation = matches.map(([, methods]) => methods[method.toLowerCase()]).find(Boolean)
  const response = operation?.responses?.[String(status)]
  const reference = response?.['$ref']
  const resolved = typeof reference === 'string' ? lookUp(reference, { components }) : response
  const content = resolved?.['content'] as Record<string, { schema?: Json }> | undefined
  const schema = content?.['application/json']?.schema
  return schema === undefined ? null : withReferencesInto('api', asJsonSchema(schema))
}

const lookUp = (reference: string, root: Json): Json | undefined =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((place, key) => (place as Json | undefined)?.[key], root) as Json | undefined

const withReferencesInto = (id: string, schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${id}#/`)) as Json

/** OpenAPI 3.0 says `nullable` where JSON Schema says "or null", and its `oneOf` overlaps. */
function asJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asJsonSchema)
  if (typeof node !== 'object' || node === null) return node
  const { nullable, example: _example, discriminator: _discriminator, oneOf, ...rest } = node as Json
  const plain = Object.fromEntries(
    Object.entries({ ...rest, ...(oneOf === undefined ? {} : { anyOf: oneOf }) }).map(([key, value]) => [
      key,
      asJsonSchema(value),
    ]),
  )
  return nullable === true ? { anyOf: [{ type: 'null' }, plain] } : plain
}
