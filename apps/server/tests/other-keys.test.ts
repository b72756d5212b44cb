import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { revealTraveler } from '@tour-ops/contract/travelers/travelers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { newDataKey } from '../src/platform/data-keys.ts'
import { testServer } from '../testing/http-server.ts'
import { openSealing } from '../src/platform/key-registry.ts'
import { type KeyCommands, retireKey } from '../src/platform/key-commands.ts'
import { sealRemaining } from '../src/platform/reseal.ts'
import { SealedText } from '../src/platform/sealed-text.ts'
import { testDatabase, type TestWorld } from '../testing/world.ts'
import { allVerbs } from '../src/verbs.ts'
import { addTraveler } from '../testing/sealed.ts'

describe('a database that comes with other keys', () => {
  let world: TestWorld
  let elsewhere: string
  beforeAll(async () => {
    world = await testDatabase()
    elsewhere = await fs.mkdtemp(path.join(os.tmpdir(), 'other-keys-'))
  })
  afterAll(async () => {
    await world.close()
    await fs.rm(elsewhere, { recursive: true, force: true })
  })

  test('is refused at start with a message, made readable by its keys, or given up, and then a reveal says why', async () => {
    const office = await world.as('operations_manager')
    const id = await addTraveler(office)
    const own = world.services.config
    const other = readConfig({ DATA_DIR: elsewhere, DEMO: 'off' })
    await expect(openSealing(other, world.database)).rejects.toThrow(/data-keys does not hold it.*Bring the keys/s)
    expect(await fs.readdir(elsewhere)).not.toContain('data-keys')
    const [key] = world.services.sealed.keys.all()
    const withKeys = readConfig({ DATA_DIR: elsewhere, DEMO: 'off', DATA_KEYS: key?.key.toString('base64') ?? '' })
    await expect(openSealing(withKeys, world.database)).resolves.toBeInstanceOf(SealedText)
    const wrong = readConfig({ DATA_DIR: elsewhere, DEMO: 'off', DATA_KEYS: newDataKey().key.toString('hex') })
    await expect(openSealing(wrong, world.database)).rejects.toThrow('DATA_KEYS does not hold it')

    const commands: KeyCommands = { config: other, db: world.database, print: () => undefined }
    await expect(retireKey({ ...commands, config: own }, key?.id ?? '', { lost: true })).rejects.toThrow('is here')
    await retireKey(commands, key?.id ?? '', { lost: true })
    const sealed = await openSealing(other, world.database)
    await sealRemaining({ ...world.services, sealed })
    const server = await testServer({ services: { ...world.services, sealed }, verbs: allVerbs, env: { DEMO: 'off' } })
    try {
      const answer = await server.call(revealTraveler, { id, fields: ['medical'] }, { as: office.caller })
      expect(answer).toMatchObject({ status: 503, body: { error: { details: { reason: 'data_key_missing' } } } })
    } finally {
      await server.close()
    }
    // an operator who finds the keys again has everything back
    await expect(openSealing(own, world.database)).rejects.toThrow('does not hold it')
  })
})
