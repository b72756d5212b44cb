import fs from 'node:fs'
import path from 'node:path'
import { fileUseNames } from '@tour-ops/contract/files'
import { expect, test } from 'vitest'
import { storageRules } from './storage-rules.ts'

const folder = path.resolve(import.meta.dirname, '../../../../../deploy/firebase')

test('the rules in the repository are those of the table, and are deployed', () => {
  expect(fs.readFileSync(path.join(folder, 'storage.rules'), 'utf8')).toBe(storageRules())
  const { storage } = JSON.parse(fs.readFileSync(path.join(folder, 'firebase.json'), 'utf8')) as { storage: unknown }
  expect(storage).toEqual({ rules: 'storage.rules' })
})

test('every use of a file is ruled, with its size and the roles that may upload it', () => {
  const text = storageRules()
  for (const use of fileUseNames) expect(text).toContain(`match /incoming/{org}/{user}/${use}/{upload} {`)
  expect(text).toContain(
    "request.resource.size <= 67108864 && roleIn(org, ['admin', 'operations_manager', 'dispatcher'])",
  )
  expect(text).not.toContain('/contents/')
})
