import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from './build.mjs'
import { entryOf } from './run-tool.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** The server restarts when its sources change, the screens are swapped in place by Vite. Demo data as with `npm start`. */
export async function dev() {
  if (!build()) process.exit(1)
  const server = spawn(process.execPath, ['--watch', 'apps/server/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    // The screens come from Vite's own address there, and sign-in refuses origins it does not know.
    env: { TRUSTED_ORIGINS: 'http://localhost:5173,http://127.0.0.1:5173', ...process.env },
  })
  const children = [server]
  const stop = () => children.forEach((child) => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  if (!(await isReady(server))) return
  children.push(spawn(process.execPath, [entryOf('vite')], { cwd: path.join(root, 'apps/web'), stdio: 'inherit' }))
  await Promise.race(children.map((child) => new Promise((resolve) => child.once('exit', resolve))))
  stop()
}

/** Vite would answer with errors while the server still makes its demo data. @returns false when the server has ended instead. */
async function isReady(server) {
  const address = `http://127.0.0.1:${process.env.PORT ?? 8080}/readyz`
  while (server.exitCode === null && server.signalCode === null) {
    // refused as long as nobody listens yet; a server that ends says why itself
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return false
}
