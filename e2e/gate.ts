import net from 'node:net'
import { origin } from './api.ts'

/** The address of a gate; the server trusts this origin (`playwright.config.ts`). One journey at a time uses it. */
const gatePort = 18082

/** A way to the server that can be shut: connections break off, and new ones are refused, as when the server goes away. */
export interface Gate {
  readonly url: string
  shut(): Promise<void>
  open(): Promise<void>
}

export async function openGate(): Promise<Gate> {
  const sockets = new Set<net.Socket>()
  const { hostname, port } = new URL(origin)
  const gate = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket)
      // A broken half takes the other with it; the error itself is the point of the exercise.
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const open = (): Promise<void> => new Promise((resolve) => gate.listen(gatePort, hostname, resolve))
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      gate.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await open()
  return { url: `http://${hostname}:${gatePort}`, shut, open }
}
