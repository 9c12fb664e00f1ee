"""Other ways to find code, measured on the same trees and questions by the same rules as coderag."""
