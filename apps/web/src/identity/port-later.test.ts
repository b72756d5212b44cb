import { expect, test, vi } from 'vitest'
import { portLater } from './port-later.ts'

interface Greeter {
  greet(name: string): Promise<string>
  leave(): Promise<string>
}

const greeter: Greeter = {
  greet: async (name) => `Hello ${name}`,
  leave: async () => 'Bye',
}

test('nothing is loaded before something is asked, and then once', async () => {
  const load = vi.fn(async () => greeter)
  const port = portLater(load)
  expect(load).not.toHaveBeenCalled()
  expect(await Promise.all([port.greet('Ada'), port.leave()])).toEqual(['Hello Ada', 'Bye'])
  expect(load).toHaveBeenCalledTimes(1)
})

test('what was asked first is asked first', async () => {
  const asked: string[] = []
  const port = portLater<Greeter>(async () => ({
    greet: async () => String(asked.push('greet')),
    leave: async () => String(asked.push('leave')),
  }))
  await Promise.all([port.greet('Ada'), port.leave()])
  expect(asked).toEqual(['greet', 'leave'])
})

test('code that does not come rejects the question, and the next question asks for it again', async () => {
  const load = vi.fn(async () => greeter).mockRejectedValueOnce(new Error('offline'))
  const port = portLater(load)
  await expect(port.greet('Ada')).rejects.toThrow('offline')
  expect(await port.greet('Ada')).toBe('Hello Ada')
})
