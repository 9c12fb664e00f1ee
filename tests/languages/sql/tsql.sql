USE [shop] -- DEFINES statement use_shop 1-1
GO
CREATE TABLE [dbo].[Orders] ( -- DEFINES statement dbo.Orders 3-7
  [Id] INT IDENTITY(1,1) NOT NULL, -- DEFINES field dbo.Orders.Id 4-4
  [Total] DECIMAL(10,2) NULL, -- DEFINES field dbo.Orders.Total 5-5
  CONSTRAINT [OrdersKey] PRIMARY KEY CLUSTERED ([Id] ASC)
)
CREATE INDEX ByTotal ON dbo.Orders (Total) -- DEFINES statement ByTotal 8-8
GO
-- Gives money back.
CREATE PROCEDURE dbo.Refund @OrderId INT AS -- DEFINES function dbo.Refund 10-17
BEGIN
  SET NOCOUNT ON;
  BEGIN TRANSACTION;
  UPDATE dbo.Orders SET Total = 0 WHERE Id = @OrderId;
  COMMIT
END
GO
ALTER TABLE dbo.Orders ADD RefundedAt DATETIME2 NULL -- DEFINES statement dbo.Orders 19-19  DEFINES field dbo.Orders.RefundedAt 19-19
GO
