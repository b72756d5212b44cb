import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { roles, scopeOf } from '@tour-ops/contract/identity/access'
import { fileUseNames, fileUses } from '@tour-ops/contract/files'

// Writes deploy/firebase/storage.rules from the table that our own server obeys:
//   node apps/server/src/platform/firebase/storage-rules.ts

const target = path.resolve(import.meta.dirname, '../../../../../deploy/firebase/storage.rules')

const head = `rules_version = '2';
// Written by apps/server/src/platform/firebase/storage-rules.ts from packages/contract/src/files.ts. Do not edit.
// What is not named here is closed. The server reads and writes with its service account, which no rule binds.

service firebase.storage {
  match /b/{bucket}/o {
    // The server keeps one document per active member; claims alone say nothing, since they are an hour old at worst.
    function memberPath(org) {
      return /databases/(default)/documents/orgs/$(org)/members/$(request.auth.uid);
    }
    function isOwn(org, user) {
      return request.auth != null && request.auth.uid == user && request.auth.token.org_id == org;
    }
    function roleIn(org, allowed) {
      return firestore.exists(memberPath(org)) && firestore.get(memberPath(org)).data.role in allowed;
    }
`

/**
 * The rules of the bucket. Contents arrive under `incoming/{organization}/{person}/{use}/{upload}`, once and not to be changed;
 * everything else is closed to browsers.
 */
export function storageRules(): string {
  return `${head}${fileUseNames.map(matchOf).join('')}  }\n}\n`
}

function matchOf(use: (typeof fileUseNames)[number]): string {
  const { upload, maxBytes } = fileUses[use]
  const allowed = roles.filter((role) => scopeOf(role, upload)).map((role) => `'${role}'`)
  return `
    match /incoming/{org}/{user}/${use}/{upload} {
      allow get: if isOwn(org, user);
      allow create: if isOwn(org, user) && request.resource.size <= ${maxBytes} && roleIn(org, [${allowed.join(', ')}]);
      allow list, update, delete: if false;
    }
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fs.writeFileSync(target, storageRules())
