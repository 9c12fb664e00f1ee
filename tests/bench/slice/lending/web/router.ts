import { RateLimiter } from "./throttle";

type Handler = (parameters: Record<string, string>) => Promise<string>;

interface Route {
  method: string;
  pattern: RegExp;
  names: string[];
  handler: Handler;
}

/** Finds the handler of a request by method and path. */
export class Router {
  private routes: Route[] = [];

  constructor(private limiter: RateLimiter) {}

  /** `/books/:isbn` names a parameter. */
  add(method: string, path: string, handler: Handler): void {
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const pattern = new RegExp(`^${path.replace(/:\w+/g, "([^/]+)")}$`);
    this.routes.push({ method, pattern, names, handler });
  }

  async dispatch(method: string, path: string, address: string): Promise<string> {
    if (!this.limiter.allow(address)) throw new HttpError(429, "too many requests");
    for (const route of this.routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return route.handler(Object.fromEntries(route.names.map((name, i) => [name, match[i + 1]])));
    }
    throw new HttpError(404, "not found");
  }
}

export class HttpError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}
