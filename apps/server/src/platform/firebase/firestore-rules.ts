import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { roles, scopeOf, type Permission, type Role } from '@tour-ops/contract/identity/access'
import {
  livePaths,
  liveTopics,
  topicPermissions,
  type LiveAccess,
  type LivePathName,
  type LivePathRule,
} from '@tour-ops/contract/live/live-paths'
import * as z from 'zod/mini'

// Writes deploy/firebase/firestore.rules from the table that our own server obeys:
//   node apps/server/src/platform/firebase/firestore-rules.ts

const target = path.resolve(import.meta.dirname, '../../../../../deploy/firebase/firestore.rules')

const head = `rules_version = '2';
// Written by apps/server/src/platform/firebase/firestore-rules.ts from packages/contract/src/live/live-paths.ts. Do not edit.
// What is not named here is closed. The server writes with its service account, which no rule binds.

service cloud.firestore {
  match /databases/{database}/documents {
    // The server keeps one document per active member; claims alone say nothing, since they are an hour old at worst.
    function memberPath(org) {
      return /databases/$(database)/documents/orgs/$(org)/members/$(request.auth.uid);
    }
    function isInside(org) {
      return request.auth != null && request.auth.token.org_id == org && exists(memberPath(org));
    }
    function member(org) {
      return get(memberPath(org)).data;
    }
    function isSelf(user) {
      return request.auth != null && request.auth.uid == user;
    }
    function changesOnly(fields) {
      return request.resource.data.diff(resource.data).affectedKeys().hasOnly(fields);
    }
    function holdsOnly(fields) {
      return request.resource.data.keys().hasOnly(fields);
    }
    function given(field) {
      return request.resource.data.get(field, null);
    }
    function isAbsent(field) {
      return !(field in request.resource.data);
    }
    function isText(field, longest) {
      return given(field) is string && given(field).size() <= longest;
    }
    function isWhole(field, least, most) {
      return given(field) is int && given(field) >= least && given(field) <= most;
    }
    // how long its values are, and how many documents there are, rules cannot count: see docs/hosted.md
    function isMap(field, most) {
      return given(field) is map && given(field).size() <= most;
    }
    // as the exchange or the token template wrote it; the same order as for calls
    function accountName() {
      let token = request.auth.token;
      return token.get('person_name', token.get('name', token.get('person_email', token.get('email', request.auth.uid))));
    }
    function isUnderOwnName() {
      return request.resource.data.get('name', null) == accountName();
    }
`

/** The rules of the hosted database, from the same table as those of our own server. */
export function firestoreRules(): string {
  const names = Object.keys(livePaths) as LivePathName[]
  return `${head}${names.map((name) => matchOf(livePaths[name])).join('')}  }\n}\n`
}

function matchOf(rule: LivePathRule): string {
  // one segment of a path is one placeholder here, whatever its value is composed of
  const pattern = rule.pattern.replace('{org}~{form}', '{draft}')
  const isOfOrganization = pattern.startsWith('orgs/')
  const inside = isOfOrganization ? 'isInside(org)' : 'isSelf(user)'
  const [get, list] = [readOf(rule.read, false), readOf(rule.read, true)]
  const lines = [
    `allow get: if ${both(inside, get)};`,
    `allow list: if ${both(inside, list)};`,
    ...writesOf(rule, inside),
  ]
  return `\n    match /${pattern} {\n${lines.map((line) => `      ${line}\n`).join('')}    }\n`
}

const both = (inside: string, condition: string): string =>
  condition === 'true' ? inside : condition === 'false' ? 'false' : `${inside} && ${condition}`

function readOf(access: LiveAccess, isList: boolean): string {
  switch (access.kind) {
    case 'server':
      return 'false'
    case 'member':
    case 'self':
      // everyone on the inside: the documents of a person belong to that person alone
      return 'true'
    case 'own-subject': {
      const all = rolesWith(access.permission, 'all')
      const own = rolesWith(access.permission, 'own')
      const everything = `member(org).role in ${listOf(all)}`
      return isList || own.length === 0
        ? everything
        : `(${everything} || (member(org).role in ${listOf(own)} && member(org).staffId == subject))`
    }
    case 'topic':
      // topics are listened to one by one: a list would have to be refused or allowed as a whole
      return isList ? 'false' : `(${topicConditions().join(' ||\n        ')})`
  }
}

/** Topics that the same roles may read are grouped. */
function topicConditions(): string[] {
  const byRoles = Map.groupBy(liveTopics, (topic) => listOf(rolesWith(topicPermissions[topic])))
  return [...byRoles].map(([readers, topics]) => `(topic in ${listOf(topics)} && member(org).role in ${readers})`)
}

function rolesWith(permission: Permission, scope?: 'all' | 'own'): Role[] {
  return roles.filter((role) => {
    const granted = scopeOf(role, permission)
    return scope === undefined ? granted !== undefined : granted === scope
  })
}

const listOf = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`

function writesOf(rule: LivePathRule, inside: string): string[] {
  if (rule.write.kind === 'server') return ['allow write: if false;']
  if (rule.write.kind !== 'self') throw new Error(`No rule is known for writing ${rule.pattern}`)
  const self = inside === 'isSelf(user)' ? inside : `${inside} && isSelf(user)`
  if (rule.writableFields) {
    return [
      'allow create, delete: if false;',
      `allow update: if ${self} && changesOnly(${listOf(rule.writableFields)})${limitsOf(rule, rule.writableFields)};`,
    ]
  }
  // our own server writes the name by itself; rules can only compare
  const underOwnName = rule === livePaths.presence ? ' && isUnderOwnName()' : ''
  return [
    `allow create, update: if ${self} && holdsOnly(${listOf(fieldsOf(rule))})${underOwnName}${limitsOf(rule, fieldsOf(rule))};`,
    `allow delete: if ${self};`,
  ]
}

interface Shape {
  readonly type?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxProperties?: number
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
}

const shapeOf = ({ data }: LivePathRule): Shape =>
  z.toJSONSchema(data, { unrepresentable: 'any', io: 'input' }) as Shape

/** Names of the fields that a document of this place may have. */
const fieldsOf = (rule: LivePathRule): string[] => Object.keys(shapeOf(rule).properties ?? {})

/**
 * Kind and longest value of each field that is there, as our own server checks them. What is missing is no matter of the rules: an update of
 * a document that is gone has to be answered "not found".
 */
function limitsOf(rule: LivePathRule, fields: readonly string[]): string {
  const { properties = {} } = shapeOf(rule)
  return fields
    .map((field) => {
      const shape = properties[field] ?? {}
      const kinds = shape.anyOf ?? [shape]
      const mayBeNone = kinds.some(({ type }) => type === 'null')
      const fits = kinds.filter(({ type }) => type !== 'null').map((kind) => limitOf(rule, field, kind))
      const none = mayBeNone ? `given('${field}') == null` : `isAbsent('${field}')`
      return `\n        && (${[none, ...fits].join(' || ')})`
    })
    .join('')
}

/** @throws Error for a kind of field, or one without a limit, that no rule is known for. */
function limitOf(rule: LivePathRule, field: string, kind: Shape): string {
  const { type, maxLength, minimum, maximum, maxProperties } = kind
  if (type === 'boolean') return `given('${field}') is bool`
  if (type === 'string' && maxLength !== undefined) return `isText('${field}', ${maxLength})`
  if (type === 'integer' && minimum !== undefined && maximum !== undefined)
    return `isWhole('${field}', ${minimum}, ${maximum})`
  if (type === 'object' && maxProperties !== undefined) return `isMap('${field}', ${maxProperties})`
  throw new Error(`No limit is known for ${field} of ${rule.pattern}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fs.writeFileSync(target, firestoreRules())
