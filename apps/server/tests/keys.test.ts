import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDataKeyFile } from '../src/platform/data-keys.ts'
import { newDataFolder, type Program, runToEnd, startProgram } from '../testing/programs.ts'

// `npm run keys` as an operator runs it: next to a running server, and on a folder that does not start.

let folder: string
let server: Program | undefined
beforeAll(async () => {
  folder = newDataFolder('keys')
  server = await startProgram({ DATA_DIR: folder, PORT: '0' })
}, 180_000)
afterAll(async () => {
  await stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function stop(): Promise<void> {
  server?.child.kill('SIGTERM')
  await server?.ended
  server = undefined
}

const keys = (args: readonly string[], env: Record<string, string> = {}) =>
  runToEnd('keys.ts', args, { DATA_DIR: folder, DEMO: 'off', ...env })

const keyFile = () => path.join(folder, 'data-keys')
const idsInFile = () => readDataKeyFile(keyFile()).map(({ id }) => id)

// several processes are started one after the other
test('keys are listed, rotated and retired next to a running server, and without a key it does not start', async () => {
  const [first = ''] = idsInFile()
  expect(await keys(['list'])).toMatchObject({ code: 0, out: expect.stringContaining(`${first}  `), err: '' })
  expect(await keys(['rotate'])).toMatchObject({ code: 0, out: expect.stringContaining('The new key'), err: '' })
  expect(idsInFile()).toEqual([expect.not.stringMatching(first), first])
  expect(await keys(['retire', idsInFile()[0] ?? ''])).toMatchObject({
    code: 1,
    err: expect.stringContaining('encrypts now'),
  })
  expect(await keys(['retire', first])).toMatchObject({ code: 0, out: expect.stringContaining('is retired') })
  const [second = ''] = idsInFile()
  expect(idsInFile()).toEqual([second])

  await stop()
  const saved = fs.readFileSync(keyFile())
  fs.rmSync(keyFile())
  const refused = startProgram({ DATA_DIR: folder, PORT: '0' })
  await expect(refused).rejects.toThrow(`encrypted with the key ${second}`)
  await expect(refused).rejects.not.toThrow(/\n\s+at /)
  fs.writeFileSync(keyFile(), saved)
  expect(await keys(['list'])).toMatchObject({ code: 0, out: expect.stringContaining('encrypts') })
}, 90_000)

test('a command that is not there is explained, and a folder that is not there is not made', async () => {
  for (const args of [[], ['retire'], ['burn']]) {
    expect(await keys(args)).toMatchObject({ code: 1, err: expect.stringContaining('npm run keys -- COMMAND') })
  }
  const nowhere = path.join(folder, 'nowhere')
  expect(await keys(['list'], { DATA_DIR: nowhere })).toMatchObject({ code: 1, err: expect.stringContaining(nowhere) })
  expect(fs.existsSync(nowhere)).toBe(false)
}, 90_000)
